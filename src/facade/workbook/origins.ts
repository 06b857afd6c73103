// The files behind the rows of an answer, by the provenance of each observation.
import PQueue from 'p-queue';
import type { ServiceClient } from '../../client/service.ts';

/** A file of a publisher, as the archive has it. */
export interface OriginFile {
  readonly payloadId: string;
  readonly sourceId: string;
  readonly source: string;
  readonly publisher: string;
  readonly license: string;
  /** Its path in the archive. */
  readonly file: string | null;
  readonly address: string | null;
  readonly sha256: string;
  readonly bytes: number;
  readonly retrievedAt: string;
}

/** The indicator and the source of an observation, with its files. The files of a computed value are the files of all its inputs. */
export interface Origin {
  readonly indicatorId: string;
  readonly sourceId: string;
  readonly source: string;
  readonly publisher: string;
  readonly license: string;
  readonly files: readonly OriginFile[];
}

interface Provenance {
  readonly indicatorId: string;
  readonly source: { readonly sourceId: string; readonly name: string; readonly publisher: string; readonly license: string };
  readonly sourceUrl: string | null;
  readonly rawPayload: {
    readonly payloadId: string;
    readonly sha256: string;
    readonly bytes: number;
    readonly retrievedAt: string;
  } | null;
  readonly transformations: readonly {
    /** All but `file` only if the file is of another source than the series. */
    readonly params: {
      readonly file?: string;
      readonly sourceId?: string;
      readonly source?: string;
      readonly publisher?: string;
      readonly license?: string;
    };
  }[];
  readonly inputs: readonly {
    readonly observationId: string;
    readonly payloads: readonly { readonly payloadId: string; readonly sha256: string }[];
  }[];
}

const AT_ONCE = 4;

export interface Origins {
  /** In the order of the observations. */
  readonly of: (observationIds: readonly string[], hasFiles: boolean, onProgress: (done: number) => void) => Promise<readonly Origin[]>;
}

export function openOrigins(service: ServiceClient): Origins {
  /** Every file found so far: an input whose files are all known is not asked for. */
  const found = new Map<string, OriginFile>();

  const ask = async (observationId: string): Promise<Provenance> =>
    (await service.item(`/provenance/observations/${observationId}`)).data as unknown as Provenance;

  const filesOf = async (one: Provenance): Promise<readonly OriginFile[]> => {
    const files = new Map<string, OriginFile>();
    if (one.rawPayload !== null) {
      const file = fileOf(one, one.rawPayload);
      found.set(file.payloadId, file);
      files.set(file.payloadId, file);
    }
    // A document and a fact are in the file of the number itself.
    for (const { observationId, payloads } of one.inputs.filter((input) => input.observationId.startsWith('obs_'))) {
      if (payloads.some(({ payloadId }) => !found.has(payloadId))) await filesOf(await ask(observationId));
      for (const { payloadId } of payloads) {
        const file = found.get(payloadId);
        if (file !== undefined) files.set(payloadId, file);
      }
    }
    return [...files.values()];
  };

  return {
    of: async (observationIds, hasFiles, onProgress) => {
      const queue = new PQueue({ concurrency: AT_ONCE });
      let done = 0;
      try {
        return await Promise.all(
          observationIds.map((id) =>
            queue.add(async () => {
              const one = await ask(id);
              const { sourceId, name, publisher, license } = one.source;
              const files = hasFiles ? await filesOf(one) : [];
              const origin = { indicatorId: one.indicatorId, sourceId, source: name, publisher, license, files };
              onProgress((done += 1));
              return origin;
            }),
          ),
        );
      } finally {
        queue.clear();
      }
    },
  };
}

function fileOf({ source, sourceUrl, transformations }: Provenance, payload: NonNullable<Provenance['rawPayload']>): OriginFile {
  const { payloadId, sha256, bytes, retrievedAt } = payload;
  const params = transformations[0]?.params ?? {};
  return {
    payloadId,
    sourceId: params.sourceId ?? source.sourceId,
    source: params.source ?? source.name,
    publisher: params.publisher ?? source.publisher,
    license: params.license ?? source.license,
    file: params.file ?? null,
    address: sourceUrl,
    sha256,
    bytes,
    retrievedAt,
  };
}
