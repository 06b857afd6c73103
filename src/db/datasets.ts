/** The series of a data set, by the numbers that it has room for: as a range, by which a scan leaves out what it need not read. */
export function ofDataset(datasetNo: number): string {
  return `series_no between ${datasetNo * 2 ** 20} and ${(datasetNo + 1) * 2 ** 20 - 1}`;
}
