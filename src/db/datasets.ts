/** SQL that selects the series of a data set. It is a range of series numbers, so that a scan can skip row groups. */
export function ofDataset(datasetNo: number): string {
  return `series_no between ${datasetNo * 2 ** 20} and ${(datasetNo + 1) * 2 ** 20 - 1}`;
}
