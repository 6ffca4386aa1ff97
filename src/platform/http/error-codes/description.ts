/** An error of the API. */
export interface ErrorDescription {
  readonly status: number;
  /**
   * The `message` of the response. An example, where the code that throws the error sets another.
   */
  readonly message: string;
  readonly cause: string;
  readonly remedy: string;
}
