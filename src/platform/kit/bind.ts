type BoundMethods<Deps, UseCases> = {
  readonly [Name in keyof UseCases]: UseCases[Name] extends (deps: Deps, ...args: infer Args) => infer Result
    ? (...args: Args) => Result
    : never;
};

/**
 * Binds use cases to their dependencies: each function `(deps, ...args)` becomes a method `(...args)`.
 * Services are gathered with it, so that a use case stays a top-level function that tests call with their own dependencies.
 */
export function bindDeps<Deps, UseCases extends Record<string, (deps: Deps, ...args: never[]) => unknown>>(
  deps: Deps,
  useCases: UseCases,
): BoundMethods<Deps, UseCases> {
  const bound: Record<string, unknown> = {};
  for (const [name, useCase] of Object.entries(useCases)) bound[name] = useCase.bind(undefined, deps);
  return bound as BoundMethods<Deps, UseCases>;
}
