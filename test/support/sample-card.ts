/** A card that the sandbox authorizes. It is valid for tests that advance the clock by years. */
export const SAMPLE_CARD = {
  number: '4111111111111111',
  holderName: 'ANA SOUZA',
  expirationMonth: 12,
  expirationYear: 2090,
  cvv: '123',
};
