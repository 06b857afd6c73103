// The provenance chain: from the publisher's file to the row.
import { z } from 'zod';
import { SourceTier } from './trust.ts';
import { Instant } from './period.ts';

/** An object with free members: details that a method, a rule or a publisher adds to the common fields. */
export const JsonObject = z.record(z.string(), z.unknown()).meta({ id: 'JsonObject' });

const text = (description: string) => z.string().nullable().describe(description);
const instant = (description: string) => Instant.nullable().describe(description);

export const Provenance = z
  .strictObject({
    observationId: z.string().describe('The observation that you asked for.'),
    indicatorId: z.string().describe('Its indicator, or the type of the document.'),
    entityId: z.string().describe('Its entity.'),
    period: z.string().describe('Its reference period.'),
    actual: z.number().nullable().describe('Its value.'),
    unit: text('Its unit.'),
    obsStatus: text('Flag of the publisher, as a code of CL_OBS_STATUS of SDMX; null without a flag.'),
    vintage: z.string().describe('Its vintage.'),
    observedAt: Instant.describe('Time at which it became known.'),
    source: z
      .strictObject({
        sourceId: z.string().describe('Data set.'),
        name: z.string().describe('Name of the data set.'),
        publisher: z.string().describe('Publisher of the data set.'),
        sourceTier: SourceTier.describe('Provenance tier of the publisher.'),
        homepageUrl: text('Page of the data set.'),
        license: z.string().describe('Licence.'),
      })
      .meta({ id: 'ProvenanceSource' })
      .describe('The named source.'),
    sourceUrl: text(
      "Address of the publisher's file (for a derived value, of its newest input); null if there is none, as for rows of the sample.",
    ),
    release: z
      .strictObject({
        releaseEventId: text('The event of /events that published the value, if known.'),
        title: text('Title of that event.'),
        publishedAt: instant('Time of publication, as the publisher states it.'),
      })
      .meta({ id: 'ProvenanceRelease' })
      .describe('The release of the value.'),
    rawPayload: z
      .strictObject({
        payloadId: z.string().describe('Identifier of the archived payload.'),
        sha256: z.string().describe('SHA-256 of the bytes as received.'),
        bytes: z.int().describe('Their number.'),
        mediaType: z.string().describe('Their media type.'),
        httpStatus: z.int().nullable().describe('HTTP status of the download; null for a file from a folder.'),
        etag: text('Validator from the answer of the publisher.'),
        lastModified: text('Validator from the answer of the publisher.'),
        retrievedAt: Instant.describe('Time of retrieval.'),
        available: z.boolean().describe('True if the bytes are archived.'),
        locator: text('Place in the archive; only for keys with ops:read.'),
      })
      .meta({ id: 'RawPayload' })
      .nullable()
      .describe('The payload; null for a derived observation, whose inputs have their own.'),
    ingestionRun: z
      .strictObject({
        runId: z.string().describe('Identifier of the run.'),
        connectorId: z.string().describe('Reader of the source.'),
        connectorVersion: z.int().describe('Its version.'),
        codeRevision: z.string().describe('Version of the service.'),
        startedAt: Instant.describe('Begin.'),
        finishedAt: Instant.describe('End.'),
        status: z.string().describe('Outcome.'),
        rowsRead: z.int().describe('Rows in the payload; for a key of the free tier, the written and refused rows inside its window.'),
        rowsWritten: z.int().describe('Rows that were new; for a key of the free tier, those inside its window.'),
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
            name: z
              .string()
              .describe(
                'Name of the step, such as collapse_unchanged_vintages: of files with the same value, only the first made a vintage.',
              ),
            version: z.string().describe('Version of the method.'),
            params: JsonObject.describe('Its parameters.'),
          })
          .meta({ id: 'Transformation' }),
      )
      .describe('Steps from the payload to the value, in order.'),
    inputs: z
      .array(
        z
          .strictObject({
            observationId: z
              .string()
              .describe(
                'Input observation; for a value computed from a text, the document; for a multiple, also each fact of a filing, as in derivedFrom.',
              ),
            indicatorId: z.string().describe('Its indicator; of a fact, its taxonomy and tag.'),
            role: z.string().describe('Role of the input.'),
            payloads: z
              .array(
                z
                  .strictObject({
                    payloadId: z.string().describe('Identifier.'),
                    sha256: z.string().describe('SHA-256 of the bytes as received.'),
                  })
                  .meta({ id: 'PayloadReference' }),
              )
              .describe('The raw payloads of the input.'),
          })
          .meta({ id: 'ProvenanceInput' }),
      )
      .describe('The observations a derived value was computed from, down to their raw payloads.'),
    consensus: z
      .strictObject({
        sourceId: z.string().describe('The survey.'),
        observationId: z.string().describe('Its observation: the median of a round.'),
        publishedAt: Instant.describe('Time at which the round became known.'),
      })
      .meta({ id: 'ProvenanceConsensus' })
      .nullable()
      .describe('Origin of the consensus; null without one.'),
    vintages: z
      .array(
        z
          .strictObject({
            vintage: z.string().describe('Vintage label.'),
            observedAt: Instant.describe('Time at which it became known.'),
            actual: z.number().nullable().describe('Value.'),
            observationId: z.string().describe('Identifier.'),
          })
          .meta({ id: 'ProvenanceVintage' }),
      )
      .describe('Every vintage of the same period, oldest first.'),
    scoring: z
      .strictObject({
        eligible: z.boolean().describe('True if the row passes the scoring gate at `as_of`; without it, now.'),
        reasons: z.array(z.string()).describe('Reasons against eligibility. Empty if the row is eligible.'),
      })
      .meta({ id: 'ScoringVerdict' })
      .describe('The scoring gate.'),
    chainHash: z
      .string()
      .describe('SHA-256 over payload hashes, run, inputs, value and vintage. It is the same while the chain is the same.'),
  })
  .meta({ id: 'Provenance' });
export type Provenance = z.infer<typeof Provenance>;
