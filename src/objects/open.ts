// The store that a URL names.
import type { ObjectStore } from './store.ts';

/** @param url `s3://bucket/prefix` or `file:///folder` */
export async function openObjects(url: string): Promise<ObjectStore> {
  const { protocol } = new URL(url);
  if (protocol === 'file:') return (await import('./folder.ts')).openFolder(url);
  // Only for a bucket: loading the client takes longer than the rest of a start.
  return (await import('./s3.ts')).openBucket(url);
}
