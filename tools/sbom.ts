// The bill of materials of a release in CycloneDX: every production package with its version, licence and hash.
import { z } from 'zod';

const Named = z.looseObject({ name: z.string() });
const Sbom = z.looseObject({
  bomFormat: z.literal('CycloneDX'),
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(
    z.looseObject({
      'bom-ref': z.string(),
      properties: z.array(Named).default([]),
      externalReferences: z.array(z.looseObject({ type: z.string() })).default([]),
    }),
  ),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()).default([]) })),
});

/**
 * npm's list, without development packages and without the registry of this installation. `npm sbom --omit dev` leaves
 * out packages that production shares with them. Throws if it is not such a list.
 */
export function ofProduction(text: string): string {
  const sbom = Sbom.parse(JSON.parse(text));
  const left = sbom.components.filter(({ properties }) => properties.some(({ name }) => name === 'cdx:npm:package:development'));
  const isLeft = new Set(left.map((component) => component['bom-ref']));
  const components = sbom.components
    .filter((component) => !isLeft.has(component['bom-ref']))
    .map(({ externalReferences, ...component }) => ({
      ...component,
      externalReferences: externalReferences.filter(({ type }) => type !== 'distribution'),
    }));
  const dependencies = sbom.dependencies
    .filter(({ ref }) => !isLeft.has(ref))
    .map(({ dependsOn, ...one }) => ({ ...one, dependsOn: dependsOn.filter((ref) => !isLeft.has(ref)) }));
  const { component } = sbom.metadata;
  // npm names it after its folder.
  const metadata = { ...sbom.metadata, component: { ...component, name: component['bom-ref'].replace(/@[^@]*$/, '') } };
  return `${JSON.stringify({ ...sbom, metadata, components, dependencies }, null, 2)}\n`;
}
