/** A call of a fake provider. */
export interface FakeCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  // oxlint-disable-next-line typescript/no-explicit-any -- JSON
  readonly body: any;
}
