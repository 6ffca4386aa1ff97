import { useQuery } from '@tanstack/react-query';

import { operatorUsers } from '../queries.ts';

/** Operator user names by id; undefined for deleted users. */
export function usePeople(): (id: string) => string | undefined {
  const users = useQuery(operatorUsers());
  return (id) => (users.data === undefined ? '…' : users.data.find((user) => user.id === id)?.name);
}
