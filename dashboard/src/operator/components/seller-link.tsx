import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** Seller name, linked to the seller. */
export function SellerLink({ id, name }: { readonly id: string; readonly name: string }): ReactNode {
  return (
    <Anchor
      renderRoot={(props) => <Link {...props} to="/operator/sellers/$id" params={{ id }} />}
      underline="always"
    >
      {name}
    </Anchor>
  );
}
