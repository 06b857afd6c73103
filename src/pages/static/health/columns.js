// Columns and words that the tables of data health share.
import { html } from '../lib/preact.js';
import { Badge, instantText } from '../components.js';

const KINDS = {
  healthy: 'good',
  live: 'good',
  fresh: 'good',
  released: 'good',
  down: 'bad',
  failing: 'bad',
  degraded: 'bad',
  frozen: 'bad',
  late: 'bad',
  stale: 'bad',
  open: 'bad',
  blocking: 'bad',
};
export const badge = (word) => html`<${Badge} kind=${KINDS[word]}>${word}<//>`;

export const instantColumn = (id, label) => ({ id, label, value: (row) => row[id], show: (row) => instantText(row[id]) });
export const countColumn = (id, label) => ({ id, label, value: (row) => row[id], isNumber: true });
