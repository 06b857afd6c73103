// Limits how many queries run at the same time. Each class of query has its own lanes, so that a long query never blocks a short one.
// Clients that wait take turns; while others wait, a client gets at most half of the lanes. A query ends when its time is over or its
// client is gone.
import { setMaxListeners } from 'node:events';

export const QUERY_CLASSES = ['lookup', 'screen', 'bulk'] as const;
/** lookup: one thing or one page. screen: all entities. bulk: a whole result as rows. */
export type QueryClass = (typeof QUERY_CLASSES)[number];
export type PerClass<Value> = Readonly<Record<QueryClass, Value>>;

/** The queries of a request have used up their time. */
export class QueryTimeoutError extends Error {
  override readonly name = 'QueryTimeoutError';
  readonly queryClass: QueryClass;
  readonly seconds: number;
  /** False if it spent all its time waiting for a lane. */
  readonly hasRun: boolean;

  constructor(queryClass: QueryClass, seconds: number, hasRun: boolean) {
    super(`The ${queryClass} was stopped after ${seconds} s`);
    this.queryClass = queryClass;
    this.seconds = seconds;
    this.hasRun = hasRun;
  }
}

/** Runs a query. It receives a setter for the function that interrupts it, and its time limit in milliseconds. */
export type Work<Result> = (interruptBy: (interrupt: () => void) => void, milliseconds: number) => Promise<Result>;

/** All queries of one request. They share the time limit of their class. */
export interface Errand {
  readonly queryClass: QueryClass;
  readonly client: string;
  /** Runs a query in a lane of the class. Rejects with the reason of `end`, or with a QueryTimeoutError, soon after either. */
  readonly run: <Result>(work: Work<Result>) => Promise<Result>;
  /** Runs a query on another machine, without a lane. */
  readonly runElsewhere: <Result>(work: Work<Result>) => Promise<Result>;
  /** Interrupts all queries that run or wait. */
  readonly end: (reason: Error) => void;
}

export interface Lanes {
  /**
   * @param milliseconds time for all queries of the errand, including the wait for a lane. Parallel queries count once; the time between
   * queries does not count.
   */
  readonly open: (queryClass: QueryClass, client: string, milliseconds: number) => Errand;
  readonly load: () => PerClass<LaneLoad>;
}

export interface LaneLoad {
  readonly running: number;
  readonly waiting: number;
}

/** The engine ignores an interrupt of a query that has not begun yet, so we repeat it until the query ends. */
const MS_BETWEEN_INTERRUPTS = 20;

/**
 * @param sizes lanes per class
 * @param elapsed milliseconds since any fixed moment
 */
export function openLanes(sizes: PerClass<number>, elapsed: () => number): Lanes {
  const lanes = { lookup: lanesOf(sizes.lookup), screen: lanesOf(sizes.screen), bulk: lanesOf(sizes.bulk) };
  return {
    load: () => ({ lookup: lanes.lookup.load(), screen: lanes.screen.load(), bulk: lanes.bulk.load() }),
    open(queryClass, client, milliseconds) {
      const ended = new AbortController();
      // Each waiting query adds a listener. Node.js would warn of a leak.
      setMaxListeners(0, ended.signal);
      let msLeft = milliseconds;
      let asked = 0;
      let since = 0;
      const run = async <Result>(work: Work<Result>, enter: () => Promise<() => void>): Promise<Result> => {
        const { signal } = ended;
        signal.throwIfAborted();
        let isRunning = false;
        if (asked === 0) since = elapsed();
        asked += 1;
        const left = () => Math.max(0, msLeft - (elapsed() - since));
        const timer = setTimeout(() => ended.abort(new QueryTimeoutError(queryClass, milliseconds / 1000, isRunning)), left());
        try {
          const leave = await enter();
          isRunning = true;
          try {
            return await interruptible(signal, work, left());
          } finally {
            leave();
          }
        } finally {
          clearTimeout(timer);
          asked -= 1;
          if (asked === 0) msLeft -= elapsed() - since;
        }
      };
      return {
        queryClass,
        client,
        end: (reason) => ended.abort(reason),
        run: (work) => run(work, () => lanes[queryClass].enter(client, ended.signal)),
        runElsewhere: (work) => run(work, () => Promise.resolve(() => undefined)),
      };
    },
  };
}

async function interruptible<Result>(signal: AbortSignal, work: Work<Result>, milliseconds: number): Promise<Result> {
  let interrupt: () => void = () => undefined;
  let repeated: NodeJS.Timeout | undefined;
  const begin = () => {
    interrupt();
    repeated = setInterval(() => interrupt(), MS_BETWEEN_INTERRUPTS);
  };
  signal.addEventListener('abort', begin, { once: true });
  try {
    return await work((by) => {
      interrupt = by;
    }, milliseconds);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', begin);
    clearInterval(repeated);
  }
}

interface ClassLanes {
  /** Resolves with a function that leaves the lane. Rejects with the reason of the signal. */
  readonly enter: (client: string, signal: AbortSignal) => Promise<() => void>;
  readonly load: () => LaneLoad;
}

function lanesOf(size: number): ClassLanes {
  /** The most lanes for one client while others wait. */
  const share = Math.max(1, Math.floor(size / 2));
  /** With four lanes or more, one stays free: a client that comes later cannot end a query of the first one. */
  const mostAlone = size >= 4 ? size - 1 : size;
  /** The number of running queries by client. */
  const running = new Map<string, number>();
  /** Waiting queries by client. A client that enters a lane goes to the end. */
  const waiting = new Map<string, (() => void)[]>();
  const taken = () => sum(running.values());
  const mayEnter = (client: string) => {
    const hasOthers = [...waiting.keys()].some((one) => one !== client);
    return taken() < size && (running.get(client) ?? 0) < (hasOthers ? share : mostAlone);
  };
  const take = (client: string) => void running.set(client, (running.get(client) ?? 0) + 1);
  const letIn = () => {
    for (let next = nextOf(waiting, mayEnter); next !== undefined; next = nextOf(waiting, mayEnter)) {
      const [first, ...others] = waiting.get(next) ?? [];
      waiting.delete(next);
      if (others.length > 0) waiting.set(next, others);
      take(next);
      first?.();
    }
  };
  const leave = (client: string) => {
    const left = (running.get(client) ?? 1) - 1;
    if (left === 0) running.delete(client);
    else running.set(client, left);
    letIn();
  };
  const wait = (client: string, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const enterNow = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        const left = (waiting.get(client) ?? []).filter((one) => one !== enterNow);
        if (left.length > 0) waiting.set(client, left);
        else waiting.delete(client);
        reject(signal.reason as Error);
        // A client that waited at the same time may now be the only one, and may take more lanes.
        letIn();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      waiting.set(client, [...(waiting.get(client) ?? []), enterNow]);
      letIn();
    });
  return {
    load: () => ({ running: taken(), waiting: sum([...waiting.values()].map((own) => own.length)) }),
    async enter(client, signal) {
      await wait(client, signal);
      let isIn = true;
      return () => {
        if (isIn) leave(client);
        isIn = false;
      };
    },
  };
}

const sum = (numbers: Iterable<number>): number => [...numbers].reduce((total, number) => total + number, 0);

/** The first client in turn that may enter. */
function nextOf(waiting: ReadonlyMap<string, unknown>, mayEnter: (client: string) => boolean): string | undefined {
  return [...waiting.keys()].find(mayEnter);
}
