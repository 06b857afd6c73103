// Python's DuckDB, which writes Arrow without an extension: a process that receives statements, with the published tables as views on their files.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const PYTHON = join(import.meta.dirname, '.venv/bin/python');

export const ABSENT =
  'DuckDB of Python is absent: run python3 -m venv bench/peers/.venv && bench/peers/.venv/bin/pip install -r bench/peers/requirements.txt';

export interface ToArrow {
  /** Resolves once the rows of a statement are in the file; without a file it only runs. */
  readonly write: (sql: string, file: string | null) => Promise<void>;
  readonly stop: () => void;
}

/** Null if it is absent. */
export function openToArrow(memory: string): ToArrow | null {
  if (!existsSync(PYTHON)) return null;
  const child = spawn(PYTHON, [join(import.meta.dirname, 'to_arrow.py'), memory], { stdio: ['pipe', 'pipe', 'inherit'] });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async write(sql, file) {
      child.stdin.write(`${JSON.stringify({ sql, file })}\n`);
      if ((await answers.next()).done === true) throw new Error('DuckDB of Python ended before it had answered');
    },
    stop: () => child.stdin.end(),
  };
}
