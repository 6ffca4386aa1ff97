/**
 * A customer record of a seller. Transactions copy its data, so that they keep what they were made
 * with.
 */
export interface CustomerRecord {
  readonly sellerId: string;
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly documentType: 'CPF' | 'CNPJ';
  readonly document: string;
  readonly externalRef: string | null;
  readonly address: Address | null;
  readonly metadata: Readonly<Record<string, unknown>> | null;
  /** For the seller's own use. */
  readonly notes: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface Address {
  readonly street?: string | null | undefined;
  readonly number?: string | null | undefined;
  readonly complement?: string | null | undefined;
  readonly district?: string | null | undefined;
  readonly city?: string | null | undefined;
  readonly state?: string | null | undefined;
  readonly postalCode?: string | null | undefined;
  readonly country?: string | null | undefined;
}

export type CustomerInput = Omit<CustomerRecord, 'sellerId' | 'id' | 'createdAt' | 'updatedAt'>;

export interface CustomerKey {
  readonly sellerId: string;
  readonly id: string;
}
