// A series in the address of a view.

export const seriesParams = ({ indicatorId, sourceId, entityId, frequency }) => ({
  indicator_id: indicatorId,
  source_id: sourceId,
  entity: entityId,
  frequency,
});
