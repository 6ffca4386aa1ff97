import { mergeDocuments } from '#tools/merge-openapi.ts';
import { isRecord } from '#platform/kit/records.ts';
import type { SchemaNode } from '#platform/openapi/schemas.ts';

/** Both OpenAPI documents of a gateway, as one. */
export async function fetchOpenApi(origin: string): Promise<SchemaNode> {
  const [seller, operator] = await Promise.all([
    fetchDocument(`${origin}/openapi.json`),
    fetchDocument(`${origin}/openapi-operator.json`),
  ]);
  return mergeDocuments(seller, operator);
}

async function fetchDocument(url: string): Promise<SchemaNode> {
  const response = await fetch(url);
  const document: unknown = await response.json();
  if (!response.ok || !isRecord(document)) throw new Error(`${url} answered ${response.status}`);
  return document;
}
