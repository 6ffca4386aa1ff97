type BoundMethods<Deps, UseCases> = {
  readonly [Name in keyof UseCases]: UseCases[Name] extends (deps: Deps, ...args: infer Args) => infer Result
    ? (...args: Args) => Result
    : never;
};

type UseCase<Deps> = (deps: Deps, ...args: never[]) => unknown;

/**
 * Binds use cases to their dependencies: each function `(deps, ...args)` becomes a method
 * `(...args)`. A service gathers its use cases with it, so that each of them stays a top-level
 * function.
 */
export function bindDeps<Deps, UseCases extends Record<string, UseCase<Deps>>>(
  deps: Deps,
  useCases: UseCases,
): BoundMethods<Deps, UseCases>;
export function bindDeps<Deps>(deps: Deps, useCases: Record<string, UseCase<Deps>>): object {
  return Object.fromEntries(
    Object.entries(useCases).map(([name, useCase]) => [name, useCase.bind(undefined, deps)]),
  );
}
