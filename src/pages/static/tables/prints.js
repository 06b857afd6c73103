// The columns of a table with the prints of a period.
import { instantText } from '../components.js';

export const PRINT_COLUMNS = [
  { id: 'observedAt', label: 'Known from', value: (row) => row.observedAt, show: (row) => instantText(row.observedAt) },
  { id: 'vintage', label: 'Vintage', value: (row) => row.vintage },
  {
    id: 'actual',
    label: 'Value',
    value: (row) => row.actual,
    isNumber: true,
    isPublished: true,
    why: () => 'withdrawn or missing',
  },
];
