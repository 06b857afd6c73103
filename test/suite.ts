// Which tests run: all of them, or those that take little time.

/** `npm run test:long`, and every longer suite of its own. */
export const isLong = process.env['SUITE'] === 'all';
