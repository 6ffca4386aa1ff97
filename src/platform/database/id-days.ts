/** SQL: the time in an id, in milliseconds. */
const idMsSql = (id: string): string =>
  `('x' || left(${id}::text, 8) || substr(${id}::text, 10, 4))::bit(48)::bigint`;

/** SQL: the São Paulo day on which the record of an id was created. */
export const idDaySql = (id: string): string =>
  `(to_timestamp(${idMsSql(id)} / 1000.0) AT TIME ZONE 'America/Sao_Paulo')::date`;
