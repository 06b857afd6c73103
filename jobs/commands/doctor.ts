import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CommonOptions, command, main, openBench } from '../command.ts';
import { requireUniqueRows } from '../../src/lake/reference.ts';
import { acceptLoss, examine, type Examination } from '../doctor.ts';

interface Options extends CommonOptions {
  readonly acceptLoss?: readonly string[];
}

const program = command(
  'doctor',
  'Check everything in DATA_DIR against its hashes. Lists damaged and leftover files, each with a remedy. Changes nothing. Exit code 1 if there is anything to do.',
  'npm run doctor -- --json',
)
  .option('--accept-loss <files...>', 'give up damaged lake files that the archive cannot restore; their rows are lost for good')
  .action(async (options: Options) => {
    const bench = openBench(options);
    const now = bench.effects.now();
    requireUniqueRows(bench.config.referenceDir);
    if (options.acceptLoss !== undefined) {
      const lake = await bench.workspace.openLake();
      try {
        const accepted = await acceptLoss(lake, options.acceptLoss, now);
        bench.print(`${accepted.join(', ')}: no longer part of the lake. Run: npm run nightly.`, accepted);
      } finally {
        await lake.close();
      }
      return;
    }
    const folders = [bench.config.dataDir, join(bench.config.dataDir, 'sample')].filter((folder) => existsSync(folder));
    const examinations: Examination[] = [];
    for (const folder of folders) examinations.push(await examine(folder, now));
    bench.print(
      examinations.map(textOf).join('\n\n') || `${bench.config.dataDir} has no data. Set DATA_DIR, or run: npm run nightly`,
      examinations,
    );
    if (examinations.some(({ findings }) => findings.length > 0)) process.exitCode = 1;
  });

function textOf({ dataDir, findings, checked }: Examination): string {
  const counts = Object.entries(checked).map(([what, number]) => `${number.toLocaleString('en-US')} ${what}`);
  const head = `${dataDir}: ${counts.join(', ') || 'nothing to check'}. ${findings.length === 0 ? 'All is well.' : `${findings.length} findings:`}`;
  return [head, ...findings.map(({ area, file, problem, remedy }) => `\n[${area}] ${file}\n  ${problem}\n  → ${remedy}`)].join('\n');
}

await main(program, { kept: 'Nothing changed, except losses accepted before.' });
