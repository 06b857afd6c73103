// Screens over HTTP only, next to PostgreSQL behind the same Express, on newest values and as of a random day; and a screen that nobody
// matches, next to one with matches.
import type { Lake } from '../generate.ts';
import { compare, type Figures, type Peer, type Plan, planFor } from '../measure.ts';
import type { Group } from '../figures.ts';
import { openServed } from '../subject.ts';
import { atOneAndMany, openServers, POSTGRES, type Server } from './http.ts';
import { bound, byHttp, type ScreenQuestion, screenPath, screensOf } from './screener.ts';

/** Above every value of the lake. */
const NOBODY = 1e12;
const EMPTY: Plan = { questions: 2000, rounds: 5, asksPerRound: 200, secondsPerRound: 4, concurrency: 1 };

async function screensBeside(lake: Lake, isAsOf: boolean): Promise<Group> {
  const reader = await openServed(lake);
  const questions = screensOf([...reader.catalogue.byCanonicalId.keys()].toSorted(), isAsOf);
  reader.close();
  const servers = await openServers(lake);
  const { ours, theirs } = servers;
  const figures = await atOneAndMany(
    lake,
    [byHttp(ours, questions), ...(theirs === null ? [] : [byExpress(theirs.server, questions)])],
    questions.length,
  );
  const [full, empty] = isAsOf ? [] : await compare([byHttp(ours, questions), nobody(ours, questions)], planFor(lake, EMPTY));
  return {
    name: `screens over HTTP${isAsOf ? ' as of a day' : ''}`,
    of: `3 filters and a ranking over all entities${isAsOf ? ' under as_of' : ''}, thresholds never repeated`,
    figures,
    measures: full === undefined || empty === undefined ? [] : [emptyOver(full, empty)],
    absent: theirs === null ? [POSTGRES] : [],
    serverPeakMemoryMb: await servers.stop(),
  };
}

const emptyOver = (full: Figures, empty: Figures) => ({
  name: 'a screen without matches ÷ one with matches: p50',
  value: empty.p50Ms / full.p50Ms,
  unit: '×',
});

interface Body {
  readonly data: readonly Readonly<Record<'entity_id' | 'first' | 'second' | 'third' | 'ranked', unknown>>[];
}

function byExpress(server: Server, questions: readonly ScreenQuestion[]): Peer {
  return {
    name: POSTGRES,
    ask: async (number) => {
      const question = questions[number];
      if (question === undefined) return [];
      const values = bound(question).map((value, place): [string, string] => [place === 8 ? 'as_of' : `p${place + 1}`, String(value)]);
      const { data } = JSON.parse(await server.fetch(`/screen?${new URLSearchParams(values).toString()}`)) as Body;
      return data.map(({ entity_id, first, second, third, ranked }) => [entity_id, first, second, third, ranked]);
    },
  };
}

/** The first filter lets nobody pass, so the answer has hints. Its bound never repeats, so no answer is cached. */
function nobody(server: Server, questions: readonly ScreenQuestion[]): Peer {
  return {
    name: 'asof, without matches',
    isYardstick: true,
    ask: async (number) => {
      const question = questions[number];
      return question === undefined ? null : server.fetch(screenPath({ ...question, first: NOBODY + question.first }));
    },
  };
}

export const screensByHttp = (lake: Lake): Promise<Group> => screensBeside(lake, false);
export const screensAsOfByHttp = (lake: Lake): Promise<Group> => screensBeside(lake, true);
