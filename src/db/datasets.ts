/** SQL that selects the series of a data set. It is a range of series numbers, so that a scan can skip row groups. */
export const ofDataset = (datasetNo: number): string => ofDatasets(datasetNo, datasetNo);

/** The same for each data set from the first to the last number. */
export function ofDatasets(first: number, last: number): string {
  return `series_no between ${first * 2 ** 20} and ${(last + 1) * 2 ** 20 - 1}`;
}
