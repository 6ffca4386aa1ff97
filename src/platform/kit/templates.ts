/**
 * The texts of a template, in which `{name}` is a variable part: `chain entry {number} is missing`.
 * Templates of the texts that the gateway writes are tables, so that the compiler rejects a text
 * that no table has and a test finds those that the dashboard does not translate.
 */
export type TextOf<Template extends string> = Template extends `${infer Head}{${string}}${infer Tail}`
  ? `${Head}${string}${TextOf<Tail>}`
  : Template;
