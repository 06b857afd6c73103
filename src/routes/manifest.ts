import { itemRoute } from '../http/route.ts';
import { Manifest } from '../model/manifest.ts';
import type { Snapshot } from '../queries/snapshot.ts';

const query = {};

export const manifest = itemRoute<Snapshot, typeof query, Manifest>({
  path: '/manifest',
  scope: 'ops:read',
  tag: 'operations',
  summary: 'Every file of the snapshot, by the names of Frictionless Data Package, with hash, rows and schema.',
  example: '/manifest',
  query,
  data: Manifest,
  find: async (_query, context) => context.snapshot.manifest,
});
