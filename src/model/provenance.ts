// The provenance chain: from the publisher's file to the row.
import { z } from 'zod';
import { JsonObject } from './json-object.ts';
import { SourceTier } from './trust.ts';
import { Instant } from './period.ts';

const text = (description: string) => z.string().nullable().describe(description);
const instant = (description: string) => Instant.nullable().describe(description);

export const Provenance = z
  .strictObject({
    observationId: z.string().describe('The observation that was asked for.'),
    indicatorId: z.string().describe('Its indicator, or the type of the document.'),
    entityId: z.string().describe('Its entity.'),
    period: z.string().describe('Its reference period.'),
    actual: z.number().nullable().describe('Its value.'),
    unit: text('Its unit.'),
    obsStatus: text('What the publisher flags it with, as a code of CL_OBS_STATUS of SDMX; null where it flags nothing.'),
    vintage: z.string().describe('Its vintage.'),
    observedAt: Instant.describe('When it became known.'),
    source: z
      .strictObject({
        sourceId: z.string().describe('Data set.'),
        name: z.string().describe('Name of the data set.'),
        publisher: z.string().describe('Publisher of the data set.'),
        sourceTier: SourceTier.describe('Provenance tier of who established the number.'),
        homepageUrl: text('Page of the data set.'),
        license: z.string().describe('Licence.'),
      })
      .meta({ id: 'ProvenanceSource' })
      .describe('The named source.'),
    sourceUrl: text("Address of the publisher's file; of a derived value that of the newest of its inputs."),
    release: z
      .strictObject({
        releaseEventId: text('The event of /events that carried the value, where one is known.'),
        title: text('Title of that event.'),
        publishedAt: instant('When the publisher says it published.'),
      })
      .meta({ id: 'ProvenanceRelease' })
      .describe('The release that carried the value.'),
    rawPayload: z
      .strictObject({
        payloadId: z.string().describe('Identifier of the archived payload.'),
        sha256: z.string().describe('SHA-256 of the bytes as received.'),
        bytes: z.int().describe('Their number.'),
        mediaType: z.string().describe('Their media type.'),
        httpStatus: z.int().nullable().describe('Status with which they were served; null for a file from a folder.'),
        etag: text('Validator that came with them.'),
        lastModified: text('Validator that came with them.'),
        retrievedAt: Instant.describe('When they were retrieved.'),
        available: z.boolean().describe('Whether the bytes are archived.'),
        locator: text('Where they are in the archive; shown to keys with ops:read alone.'),
      })
      .meta({ id: 'RawPayload' })
      .nullable()
      .describe('The payload; null for a derived observation, whose inputs lead to theirs.'),
    ingestionRun: z
      .strictObject({
        runId: z.string().describe('Identifier of the run.'),
        connectorId: z.string().describe('Reader of the source.'),
        connectorVersion: z.int().describe('Its version.'),
        codeRevision: z.string().describe('Version of the service that ran it.'),
        startedAt: Instant.describe('Begin.'),
        finishedAt: Instant.describe('End.'),
        status: z.string().describe('Outcome.'),
        rowsRead: z
          .int()
          .describe('Rows that the payload stated; for a key of the free tier, those inside its window that were written or refused.'),
        rowsWritten: z.int().describe('Rows that said something new; for a key of the free tier, those inside its window.'),
        rowsQuarantined: z.int().describe('Rows refused; for a key of the free tier, those inside its window.'),
      })
      .meta({ id: 'IngestionRun' })
      .nullable()
      .describe('The run that read the payload; null for a derived observation.'),
    transformations: z
      .array(
        z
          .strictObject({
            step: z.int().describe('Position.'),
            name: z.string().describe('What was done.'),
            version: z.string().describe('Version of the method.'),
            params: JsonObject.describe('Its parameters.'),
          })
          .meta({ id: 'Transformation' }),
      )
      .describe('What was done to the value, in order.'),
    inputs: z
      .array(
        z
          .strictObject({
            observationId: z.string().describe('Observation that went in; of what is computed from a text the document.'),
            indicatorId: z.string().describe('Its indicator.'),
            role: z.string().describe('What it was used as.'),
            payloads: z
              .array(
                z
                  .strictObject({
                    payloadId: z.string().describe('Identifier.'),
                    sha256: z.string().describe('SHA-256 of the bytes as received.'),
                  })
                  .meta({ id: 'PayloadReference' }),
              )
              .describe('The raw payloads behind it.'),
          })
          .meta({ id: 'ProvenanceInput' }),
      )
      .describe('The observations a derived value was computed from, down to their raw payloads.'),
    consensus: z
      .strictObject({
        sourceId: z.string().describe('The survey.'),
        observationId: z.string().describe('Its observation: the median of a round.'),
        publishedAt: Instant.describe('When the round became known.'),
      })
      .meta({ id: 'ProvenanceConsensus' })
      .nullable()
      .describe('Where the consensus of the row comes from; null without one.'),
    vintages: z
      .array(
        z
          .strictObject({
            vintage: z.string().describe('Vintage label.'),
            observedAt: Instant.describe('When it became known.'),
            actual: z.number().nullable().describe('Value.'),
            observationId: z.string().describe('Identifier.'),
          })
          .meta({ id: 'ProvenanceVintage' }),
      )
      .describe('Every vintage of the same period, oldest first.'),
    scoring: z
      .strictObject({
        eligible: z.boolean().describe('Whether the row passes the scoring gate now.'),
        reasons: z.array(z.string()).describe('What bars it; empty when nothing does.'),
      })
      .meta({ id: 'ScoringVerdict' })
      .describe('The scoring gate.'),
    chainHash: z.string().describe('SHA-256 over payload hashes, run, inputs, value and vintage: equal as long as the chain is.'),
  })
  .meta({ id: 'Provenance' });
export type Provenance = z.infer<typeof Provenance>;
