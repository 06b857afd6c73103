// Real values for the placeholders of paths, `{observationId}`, out of the rows that the service answers.
import type { Operation } from './description.ts';
import type { ListBody, RunningService } from '../service.ts';

/** The path with every placeholder filled; null when no list has a row with such an identifier. */
export type Fill = (path: string) => Promise<string | null>;

export function fillingFrom(service: RunningService, operations: readonly Operation[]): Fill {
  const lists = operations.filter((one) => one.isList && one.scope !== null && !one.template.includes('{'));
  const known = new Map<string, Promise<string | null>>();
  const find = async (parent: string, name: string): Promise<string | null> => {
    // An identifier of /events is none of /economic-calendar: the list that the path goes on from, where there is one.
    const own = lists.filter((one) => one.path === parent);
    for (const operation of own.length > 0 ? own : lists) {
      const response = await service.get(newestFirst(operation));
      if (response.status !== 200) continue;
      const { data } = (await response.json()) as ListBody;
      const value = data.map((row) => row[name]).find((one) => typeof one === 'string');
      if (typeof value === 'string') return value;
    }
    return null;
  };
  return async (path) => {
    let filled = path;
    for (const [placeholder, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
      const parent = path.slice(0, path.indexOf(placeholder) - 1);
      const value = known.get(`${parent} ${name}`) ?? find(parent, name);
      known.set(`${parent} ${name}`, value);
      const text = await value;
      if (text === null) return null;
      filled = filled.replace(placeholder, encodeURIComponent(text));
    }
    return filled;
  };
}

// The newest rows lie inside the history window of every key.
function newestFirst(operation: Operation): string {
  const sort = operation.parameters.find((one) => one.name === 'sort')?.schema['enum'];
  const isDated = Array.isArray(sort) && sort.includes('period_end') && !operation.path.includes('{');
  return isDated ? `${operation.path}?sort=period_end&order=desc&limit=20` : operation.template;
}
