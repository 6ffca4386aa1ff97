import { isRecord } from '#platform/kit/records.ts';
import type { SchemaNode } from '#platform/openapi/schemas.ts';

/**
 * One document with the operations and schemas of both, to generate and test clients.
 *
 * @throws Error if an operation or schema of the same name differs.
 */
export function mergeDocuments(first: SchemaNode, second: SchemaNode): SchemaNode {
  const components = [first['components'], second['components']];
  return {
    ...first,
    paths: mergePaths(first['paths'], second['paths']),
    components: {
      ...nodeOf(components[0]),
      schemas: mergeMembers(...components.map((one) => nodeOf(nodeOf(one)['schemas']))),
      responses: mergeMembers(...components.map((one) => nodeOf(nodeOf(one)['responses']))),
    },
  };
}

/** Two documents may have different methods of one path. */
function mergePaths(first: unknown, second: unknown): SchemaNode {
  const paths = new Set([...Object.keys(nodeOf(first)), ...Object.keys(nodeOf(second))]);
  const merged = [...paths].map((path) => {
    const operations = [first, second].map((one) => nodeOf(nodeOf(one)[path]));
    return [path, mergeMembers(...operations)] as const;
  });
  return Object.fromEntries(merged);
}

function mergeMembers(...nodes: readonly SchemaNode[]): SchemaNode {
  const merged = new Map<string, unknown>();
  for (const [name, member] of nodes.flatMap((node) => Object.entries(node))) {
    const known = merged.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(member)) {
      throw new Error(`The documents have different members ${name}`);
    }
    merged.set(name, member);
  }
  return Object.fromEntries(merged);
}

const nodeOf = (value: unknown): SchemaNode => (isRecord(value) ? value : {});
