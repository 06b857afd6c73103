// The environment, parsed once into one frozen object. Bad configuration is one line naming the variable.
import { join, resolve } from 'node:path';
import { validateCronExpression } from 'cron';
import { z } from 'zod';
import { KnownError } from './known-error.ts';

const text = z.string().min(1);
const whole = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d+$/, 'is not a whole number')
    .transform(Number)
    .pipe(z.int().min(from, `must be at least ${from}`).max(to, `must be at most ${to}`));

const onOff = z.stringbool({ truthy: ['on'], falsy: ['off'], error: 'must be on or off' });

const Environment = z.object({
  HOST: text.default('127.0.0.1'),
  PORT: z.string().default('8080').pipe(whole(0, 65_535)),
  DATA_DIR: text.default('./data'),
  SCRATCH_DIR: text.optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).optional(),
  ENGINE_THREADS: z.string().default('2').pipe(whole(1, 256)),
  ENGINE_MEMORY: z
    .string()
    .regex(/^\d+(?:MB|GB)$/, 'must be a size such as 600MB or 2GB')
    .default('600MB'),
  LOOKUP_SECONDS: z.string().default('5').pipe(whole(1, 3600)),
  SCREEN_SECONDS: z.string().default('15').pipe(whole(1, 3600)),
  BULK_SECONDS: z.string().default('600').pipe(whole(1, 86_400)),
  BULK_LIFETIME_SECONDS: z.string().default('900').pipe(whole(1, 86_400)),
  UV_THREADPOOL_SIZE: z.string().default('4').pipe(whole(1, 1024)),
  SNAPSHOTS_KEPT: z.string().default('5').pipe(whole(2, 1000)),
  CURSOR_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  RATE_LIMIT_SCALE: z.string().default('1').pipe(whole(1, 1_000_000)),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')
    .optional(),
  SNAPSHOT_URL: z
    .string()
    .regex(/^(?:s3:\/\/[^/?#]+(?:\/[^?#]*)?|file:\/\/\/[^?#]+)$/, 'must be s3://bucket/prefix or file:///folder')
    .optional(),
  ENGINE_URL: z.url({ protocol: /^https?$/, error: 'must be an address such as https://user:password@host:8443/database' }).optional(),
  CORS_ORIGINS: text.optional(),
  PAGES: onOff.default(true),
  FEEDS: onOff.default(false),
  EMBED_ORIGINS: text.optional(),
  PUBLIC_URL: z
    .string()
    .regex(/^https?:\/\/[^/?#\s]+\/?$/, 'must be an origin without a path, such as https://data.example.org')
    .optional(),
  TRUST_PROXY: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
  ASOF_CONTACT: z
    .string()
    .regex(/[^\s<>()]+@[^\s<>()]+\.[^\s<>()]+/, 'must hold a name and an e-mail address')
    .optional(),
  FRED_API_KEY: text.optional(),
  CFTC_APP_TOKEN: text.optional(),
  RIKSBANK_KEY: text.optional(),
  SCHEDULE: text.optional(),
  SCHEDULE_MINUTES: z.string().default('10').pipe(whole(1, 1440)),
  HTTPS_PROXY: text.optional(),
  NO_PROXY: text.optional(),
  METRICS_HOST: text.default('127.0.0.1'),
  METRICS_PORT: z.string().pipe(whole(0, 65_535)).optional(),
  CHECK_ROWS: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
});

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** The folder for temporary files of a server. */
  readonly scratchDir: string;
  readonly referenceDir: string;
  /** Null if it is not set. */
  readonly logLevel: string | null;
  readonly engineThreads: number;
  readonly engineMemory: string;
  /** Limits for the queries of one request. */
  readonly querySeconds: { readonly lookup: number; readonly screen: number; readonly bulk: number };
  /** The time limit of a bulk answer. */
  readonly bulkLifetimeSeconds: number;
  /** Threads of Node.js's own pool, fixed when the process starts. */
  readonly poolThreads: number;
  readonly snapshotsKept: number;
  readonly cursorSecret: string | null;
  /** The factor for rate limits; above 1 only for load tests. */
  readonly rateLimitScale: number;
  readonly redisUrl: string | null;
  /** The store for pushed and followed snapshots: `s3://bucket/prefix` or `file:///folder`. Null if they are only in DATA_DIR. */
  readonly snapshotUrl: string | null;
  /** The ClickHouse cluster for heavy queries, with user and password; null without one. */
  readonly engineUrl: string | null;
  readonly corsOrigins: readonly string[];
  readonly trustProxy: boolean;
  /** True if the service has pages in addition to the interface. */
  readonly hasPages: boolean;
  /** True if anyone may read the feeds in DATA_DIR/feeds, without a key. */
  readonly hasFeeds: boolean;
  /** Origins whose pages may embed charts, or `*` for any; with an empty list, nobody may, and no data leave without a key. */
  readonly embedOrigins: readonly string[];
  /** The origin at which readers reach the server, without a slash at the end; null: links of feeds are relative. */
  readonly publicUrl: string | null;
  /** The address of the metrics listener; null for none. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  /** True to check each row of a bulk answer against its binding, not only the first. */
  readonly isEveryRowChecked: boolean;
  /** When a serving process runs the nightly step, as a cron expression in UTC, and for how long it may ask publishers. */
  readonly schedule: { readonly cron: string; readonly minutes: number } | null;
  /** Settings for requests to publishers. */
  readonly fetching: {
    /** Name and e-mail address of the operator, for publishers that require them. */
    readonly contact: string | null;
    readonly secrets: Readonly<Partial<Record<'FRED_API_KEY' | 'CFTC_APP_TOKEN' | 'RIKSBANK_KEY', string>>>;
    readonly proxies: { readonly https: string | null; readonly exceptions: string | null };
  };
}

/** Settings of client programs. */
const ClientEnvironment = z.object({
  ASOF_URL: z.url({ protocol: /^https?$/, error: 'must be an address such as http://127.0.0.1:8080' }).default('http://127.0.0.1:8080'),
  ASOF_KEY: text.optional(),
});

/** Empty variables count as absent. Throws a KnownError that names the first invalid variable. */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const values = parse(Environment, environment);
  return Object.freeze({
    host: values.HOST,
    port: values.PORT,
    dataDir: resolve(values.DATA_DIR),
    scratchDir: values.SCRATCH_DIR === undefined ? join(resolve(values.DATA_DIR), 'tmp') : resolve(values.SCRATCH_DIR),
    referenceDir: resolve(import.meta.dirname, '../data/reference'),
    logLevel: values.LOG_LEVEL ?? null,
    engineThreads: values.ENGINE_THREADS,
    engineMemory: values.ENGINE_MEMORY,
    querySeconds: { lookup: values.LOOKUP_SECONDS, screen: values.SCREEN_SECONDS, bulk: values.BULK_SECONDS },
    bulkLifetimeSeconds: values.BULK_LIFETIME_SECONDS,
    poolThreads: values.UV_THREADPOOL_SIZE,
    snapshotsKept: values.SNAPSHOTS_KEPT,
    cursorSecret: values.CURSOR_SECRET ?? null,
    rateLimitScale: values.RATE_LIMIT_SCALE,
    redisUrl: values.REDIS_URL ?? null,
    snapshotUrl: values.SNAPSHOT_URL?.replace(/\/+$/, '') ?? null,
    engineUrl: values.ENGINE_URL ?? null,
    corsOrigins: values.CORS_ORIGINS?.split(',').map((origin) => origin.trim()) ?? [],
    trustProxy: values.TRUST_PROXY,
    hasPages: values.PAGES,
    hasFeeds: values.FEEDS,
    embedOrigins: embedOriginsOf(values),
    publicUrl: values.PUBLIC_URL?.replace(/\/$/, '') ?? null,
    metrics: values.METRICS_PORT === undefined ? null : { host: values.METRICS_HOST, port: values.METRICS_PORT },
    isEveryRowChecked: values.CHECK_ROWS,
    schedule: scheduleOf(values),
    fetching: fetchingOf(values),
  });
}

/** Throws a KnownError as readConfig does. */
export function readClientConfig(environment: Readonly<Record<string, string | undefined>> = process.env): {
  readonly url: string;
  readonly key: string | null;
} {
  const { ASOF_URL: url, ASOF_KEY: key } = parse(ClientEnvironment, environment);
  return { url, key: key ?? null };
}

function parse<Schema extends z.ZodObject>(schema: Schema, environment: Readonly<Record<string, string | undefined>>): z.infer<Schema> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new KnownError(`Configuration: ${issue?.path.join('.')} ${issue?.message ?? 'is not valid'}.`);
}

/** They go into a header, so each must be an origin and nothing else. */
function embedOriginsOf({ EMBED_ORIGINS, PAGES }: z.infer<typeof Environment>): readonly string[] {
  const origins = EMBED_ORIGINS?.split(',').map((origin) => origin.trim().toLowerCase()) ?? [];
  const wrong = origins.find((origin) => origin !== '*' && !/^https?:\/\/(?:\*\.)?[a-z0-9.-]+(?::\d{1,5})?$/.test(origin));
  if (wrong !== undefined)
    throw new KnownError(
      `Configuration: EMBED_ORIGINS has ${JSON.stringify(wrong)}, which is not an origin. Write origins with commas, such as https://blog.example.org, or * for any.`,
    );
  if (origins.includes('*') && origins.length > 1)
    throw new KnownError('Configuration: EMBED_ORIGINS has * and other origins. Write * alone, or leave it out.');
  if (origins.length > 0 && !PAGES) throw new KnownError('Configuration: EMBED_ORIGINS needs the pages. Set PAGES=on, or leave it out.');
  return origins;
}

function scheduleOf({ SCHEDULE, SCHEDULE_MINUTES }: z.infer<typeof Environment>): Config['schedule'] {
  if (SCHEDULE === undefined) return null;
  const { valid, error } = validateCronExpression(SCHEDULE);
  if (valid) return { cron: SCHEDULE, minutes: SCHEDULE_MINUTES };
  throw new KnownError(
    `Configuration: SCHEDULE is not a cron expression (${error?.message ?? ''}). Write minute, hour, day, month and weekday, e.g. "*/15 * * * *".`,
  );
}

function fetchingOf(values: z.infer<typeof Environment>): Config['fetching'] {
  const { ASOF_CONTACT, FRED_API_KEY, CFTC_APP_TOKEN, RIKSBANK_KEY, HTTPS_PROXY, NO_PROXY } = values;
  return {
    contact: ASOF_CONTACT ?? null,
    secrets: {
      ...(FRED_API_KEY === undefined ? {} : { FRED_API_KEY }),
      ...(CFTC_APP_TOKEN === undefined ? {} : { CFTC_APP_TOKEN }),
      ...(RIKSBANK_KEY === undefined ? {} : { RIKSBANK_KEY }),
    },
    proxies: { https: HTTPS_PROXY ?? null, exceptions: NO_PROXY ?? null },
  };
}

/** For a process that builds, as in the scripts of package.json: with fewer arenas of the C library it takes 100 MB less. */
export function environmentOfBuilds(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string | undefined> {
  return { MALLOC_ARENA_MAX: '2', ...environment };
}
