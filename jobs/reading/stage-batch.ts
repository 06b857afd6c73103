// A batch of records → the staging tables.
import type { Stage } from '../../src/lake/append.ts';
import type { Batch } from '../../src/model/record.ts';

export function stageBatch(stage: Stage, batch: Batch): void {
  switch (batch.kind) {
    case 'observations':
      stage.observations(batch.rows);
      break;
    case 'refused':
      stage.refused(batch.rows);
      break;
    case 'facts':
    case 'filings':
    case 'statement_numbers':
    case 'companies':
    case 'documents':
    case 'schedules':
    case 'entities':
      stage.records(
        batch.kind,
        batch.rows.map((row) => ({ ...row })),
      );
      break;
  }
}
