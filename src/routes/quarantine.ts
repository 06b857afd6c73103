import { ApiError } from '../http/errors.ts';
import { listRoute, parameter } from '../http/route.ts';
import { QuarantineRecord, QuarantineRule, QuarantineSeverity, QuarantineStatus } from '../model/operations.ts';
import { listQuarantine, QUARANTINE_SORT_NAMES, quarantineList } from '../queries/operations.ts';
import { sortOf } from '../queries/paging.ts';
import type { Snapshot } from '../queries/snapshot.ts';
import { moment, text } from './observation-parameters.ts';

const query = {
  source_id: parameter(text('Source of the payload.', 'fred_md'), 'sourceId'),
  indicator_id: parameter(text('Storage indicator, where it was resolved.', 'us_initial_jobless_claims'), 'indicatorId'),
  entity_id: parameter(text('Entity, where it was resolved.', 'us'), 'entityId'),
  rule: parameter(QuarantineRule.optional().meta({ description: 'Rule that was broken.', examples: ['scale_jump'] })),
  severity: parameter(QuarantineSeverity.optional().meta({ description: 'Whether the row was kept out.', examples: ['block'] })),
  status: parameter(QuarantineStatus.optional().meta({ description: 'What has become of it.', examples: ['open'] })),
  detected_from: parameter(moment('begin', 'Found at or after this moment.', '2024-01-01'), 'detectedFrom'),
  detected_to: parameter(moment('end', 'Found at or before this moment.', '2030-12-31'), 'detectedTo'),
};

export const quarantine = listRoute<Snapshot, typeof query, QuarantineRecord>({
  path: '/quarantine',
  scope: 'ops:read',
  tag: 'operations',
  summary: 'Rows and payloads that were refused or written with a warning, each with the rule and the reason.',
  example: '/quarantine?severity=block&limit=5',
  query,
  row: QuarantineRecord,
  sortable: QUARANTINE_SORT_NAMES,
  list: ({ source_id, indicator_id, entity_id, rule, severity, status, detected_from, detected_to }, page, { snapshot }) => {
    if (detected_from !== undefined && detected_to !== undefined && detected_from > detected_to)
      throw new ApiError('bad_request', 'detected_from lies after detected_to.', { parameters: ['detected_from', 'detected_to'] });
    const filters = {
      sourceId: source_id ?? null,
      indicatorId: indicator_id?.toLowerCase() ?? null,
      entityId: entity_id === undefined ? null : (snapshot.catalogue.entityIds.get(entity_id.toLowerCase()) ?? entity_id.toLowerCase()),
      rule: rule ?? null,
      severity: severity ?? null,
      status: status ?? null,
      detectedFrom: detected_from ?? null,
      detectedTo: detected_to ?? null,
    };
    return listQuarantine(snapshot, filters, { ...page, sort: sortOf(quarantineList, page.sort) });
  },
});
