import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import type { FastifySerializerCompiler } from 'fastify';
import type { TSchema } from 'typebox';

import { once } from '#platform/kit/once.ts';

const compile = SerializerSelector()({});

/** Fastify's serializer of a response, which is compiled when it is first used. */
export const serializerCompiler: FastifySerializerCompiler<TSchema> = (route) => {
  const serialize = once(() => compile({ ...route, httpStatus: route.httpStatus ?? '' }));
  return (data) => serialize()(data);
};
