import { calendar } from './calendar.ts';
import { company } from './company.ts';
import { coverage } from './coverage.ts';
import { explain } from './explain.ts';
import { find } from './find.ts';
import { series, vintages } from './observations.ts';
import { panel } from './panel.ts';
import { screen } from './screen.ts';
import type { Tool } from './tool.ts';

export const tools: readonly Tool[] = [find, series, vintages, panel, screen, company, calendar, explain, coverage].map(
  (tool) => tool as unknown as Tool,
);
