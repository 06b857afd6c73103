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
    indicatorId: z.string().describe('Indicator of the observation, or the type of the document.'),
    entityId: z.string().describe('Entity of the observation.'),
    period: z.string().describe('Reference period of the observation.'),
    actual: z.number().nullable().describe('Value of the observation.'),
    unit: text('Unit of the value.'),
    obsStatus: text('Flag of the publisher, as a code of CL_OBS_STATUS of SDMX; null without a flag.'),
    vintage: z.string().describe('Label of the vintage.'),
    observedAt: Instant.describe('Time at which it became known.'),
    source: z
      .strictObject({
        sourceId: z.string().describe('Data set.'),
        name: z.string().describe('Name of the data set.'),
        publisher: z.string().describe('Publisher of the data set.'),
        sourceTier: SourceTier.describe('Kind of institution that established the number.'),
        homepageUrl: text('Page of the data set.'),
        license: z.string().describe('Licence.'),
      })
      .meta({ id: 'ProvenanceSource' })
      .describe('The named source.'),
    sourceUrl: text(
      "Address of the publisher's file; for a derived value, of its newest input. It is null for rows of the sample, and if the source has no public address.",
    ),
    release: z
      .strictObject({
        releaseEventId: text('The event of /events that published the value, if known.'),
        title: text('Title of the event.'),
        publishedAt: instant('Time of publication, as the publisher states it.'),
      })
      .meta({ id: 'ProvenanceRelease' })
      .describe('The release of the value.'),
    rawPayload: z
      .strictObject({
        payloadId: z.string().describe('Identifier of the archived payload.'),
        sha256: z.string().describe('SHA-256 of the bytes as received.'),
        bytes: z.int().describe('Size in bytes.'),
        mediaType: z.string().describe('Media type of the file.'),
        httpStatus: z.int().nullable().describe('HTTP status of the download; null for a file from a folder.'),
        etag: text('Validator from the answer of the publisher.'),
        lastModified: text('Validator from the answer of the publisher.'),
        retrievedAt: Instant.describe('Time of retrieval.'),
        available: z
          .boolean()
          .describe('Always true: asof archives the file of each row. It does not check whether the file is still there.'),
        locator: text('Place in the archive; only for keys with ops:read.'),
      })
      .meta({ id: 'RawPayload' })
      .nullable()
      .describe("The payload: the publisher's file, as archived. Null for a derived observation: see payloads in inputs."),
    ingestionRun: z
      .strictObject({
        runId: z.string().describe('Identifier of the run.'),
        connectorId: z.string().describe('Reader of the source.'),
        connectorVersion: z.int().describe('Version of the reader.'),
        codeRevision: z.string().describe('Version of the service.'),
        startedAt: Instant.describe('Begin.'),
        finishedAt: Instant.describe('End.'),
        status: z.string().describe('Outcome.'),
        rowsRead: z
          .int()
          .describe(
            'Values and other records in the file, and rows that the reader refused. A line with several values counts once for each. For a free key: rowsWritten plus rowsQuarantined.',
          ),
        rowsWritten: z
          .int()
          .describe('Of rowsRead, the values and records that were new; for a free key, only periods of the last 24 months.'),
        rowsQuarantined: z
          .int()
          .describe('Of rowsRead, the values and rows that a rule kept out; for a free key, only periods of the last 24 months.'),
      })
      .meta({ id: 'IngestionRun' })
      .nullable()
      .describe('The run that read the file; null for a derived observation.'),
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
            params: JsonObject.describe('Parameters of the step.'),
          })
          .meta({ id: 'Transformation' }),
      )
      .describe('Steps from the file to the value, in order.'),
    inputs: z
      .array(
        z
          .strictObject({
            observationId: z
              .string()
              .describe(
                'Input observation; for a value computed from a text, the document; for a multiple, also each fact of a filing, as in derivedFrom.',
              ),
            indicatorId: z.string().describe('Indicator of the input; of a fact, its taxonomy and tag.'),
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
              .describe('The files of the input.'),
          })
          .meta({ id: 'ProvenanceInput' }),
      )
      .describe('The observations that a derived value was computed from, each with its files.'),
    consensus: z
      .strictObject({
        sourceId: z.string().describe('The survey.'),
        observationId: z.string().describe('Observation of the survey: the median of a round.'),
        publishedAt: Instant.describe('Time at which the round became known.'),
      })
      .meta({ id: 'ProvenanceConsensus' })
      .nullable()
      .describe('Origin of the consensus; null without one.'),
    vintages: z
      .array(
        z
          .strictObject({
            vintage: z.string().describe('Label of the vintage.'),
            observedAt: Instant.describe('Time at which it became known.'),
            actual: z.number().nullable().describe('Value.'),
            observationId: z.string().describe('Identifier.'),
          })
          .meta({ id: 'ProvenanceVintage' }),
      )
      .describe('Every vintage of the same period, oldest first.'),
    scoring: z
      .strictObject({
        eligible: z.boolean().describe('The scoringEligible of the row at `as_of`, or now if you send none.'),
        reasons: z.array(z.string()).describe('Reasons against eligibility. Empty if the row is eligible.'),
      })
      .meta({ id: 'ScoringVerdict' })
      .describe('Whether the row is eligible, and why not.'),
    chainHash: z
      .string()
      .describe('SHA-256 over payload hashes, run, inputs, value and vintage. It is the same while the chain is the same.'),
  })
  .meta({ id: 'Provenance' });
export type Provenance = z.infer<typeof Provenance>;
