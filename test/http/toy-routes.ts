// Routes of no particular domain, one of each kind and with every kind of parameter.
import { z } from 'zod';
import { ApiError } from '../../src/http/errors.ts';
import { type AnyRoute, itemRoute, listRoute, openRoute, type PinnedSnapshot, parameter } from '../../src/http/route.ts';

const Maker = z
  .strictObject({ makerId: z.string().describe('Identifier.'), name: z.string().nullable().describe('Name.') })
  .meta({ id: 'Maker' });

const ToyKind = z.enum(['car', 'doll']).meta({ id: 'ToyKind' });

const Toy = z
  .strictObject({
    toyId: z.string().describe('Identifier.'),
    kind: ToyKind.describe('Kind of toy.'),
    price: z.number().nullable().describe('Price.'),
    madeAt: z.iso.datetime().nullable().describe('When it was made.'),
    isSold: z.boolean().nullable().describe('Whether it was sold.'),
    colours: z.array(z.string()).describe('Its colours.'),
    maker: Maker.nullable().describe('Who made it.'),
  })
  .meta({ id: 'Toy', description: 'A toy.' });

const query = {
  maker_id: parameter(
    z
      .string()
      .transform((text) => text.split(','))
      .pipe(z.array(z.string()).max(50))
      .optional()
      .meta({ description: 'Makers, up to 50 separated by commas.', examples: ['m1'] }),
    'makerId',
    'maker',
  ),
  is_sold: parameter(
    z
      .stringbool({ truthy: ['true'], falsy: ['false'] })
      .default(false)
      .meta({ description: 'Only sold ones.', examples: ['true'] }),
  ),
  kind: parameter(ToyKind.optional().meta({ description: 'Kind of toy.', examples: ['car'] })),
  year: parameter(
    z.coerce
      .number()
      .int()
      .min(1900)
      .max(2100)
      .optional()
      .meta({ description: 'Year it was made.', examples: ['2020'] }),
  ),
  made_on: parameter(z.iso.date().optional().meta({ description: 'Day it was made.' })),
};

const toys = listRoute<PinnedSnapshot, typeof query, z.infer<typeof Toy>>({
  path: '/toys',
  operation: 'listToys',
  scope: 'data:read',
  tag: 'toys',
  summary: 'All toys.',
  description: 'Sorted by price.',
  example: '/toys?kind=doll&made_on=2020-02-29',
  query,
  row: Toy,
  meta: { as_of: z.string().nullable().describe('Cutoff.') },
  sortable: ['price', 'toy_id'],
  isBulk: true,
  isHistory: true,
  list: async () => ({ rows: [], nextKey: null }),
});

const makerQuery = {
  name: parameter(
    z
      .string()
      .min(1)
      .meta({ description: 'Name to look for.', examples: ['Ann'] }),
  ),
};

const makers = listRoute<PinnedSnapshot, typeof makerQuery, unknown>({
  path: '/makers/:makerId/parts',
  operation: 'listParts',
  scope: 'ops:read',
  tag: 'makers',
  summary: 'Parts of a maker.',
  example: '/makers/m1/parts?name=Ann',
  query: makerQuery,
  pathParameters: {
    makerId: z
      .string()
      .max(10)
      .meta({ description: 'A maker.', examples: ['m9'] }),
  },
  row: z.strictObject({ part: z.string().describe('The part.') }).meta({ id: 'Part' }),
  sortable: ['part'],
  list: async () => ({ rows: [], nextKey: null }),
});

const nothing = {};

const toy = itemRoute<PinnedSnapshot, typeof nothing, z.infer<typeof Toy>>({
  path: '/toys/:toyId',
  operation: 'getToy',
  scope: 'data:read',
  tag: 'toys',
  summary: 'One toy.',
  example: '/toys/t1',
  query: nothing,
  pathParameters: { toyId: z.string().meta({ description: 'A toy.', examples: ['t1'] }) },
  data: Toy,
  find: async () => {
    throw new ApiError('not_found', 'There is no such toy.');
  },
});

const health = openRoute({
  path: '/health',
  operation: 'getHealth',
  tag: 'discovery',
  summary: 'Whether the service runs.',
  example: '/health',
  contentType: 'application/json',
  data: z.strictObject({ status: z.literal('ok').describe('Always ok.') }).meta({ id: 'Health' }),
});

const texts = openRoute({
  path: '/llms.txt',
  operation: 'getLlms',
  tag: 'discovery',
  summary: 'The index for agents.',
  example: '/llms.txt',
  contentType: 'text/plain',
  data: null,
});

export const toyRoutes: readonly AnyRoute<PinnedSnapshot>[] = [health, texts, toys, toy, makers];
