/** Texts of the same shape, in any language. */
export type Text<T> = { readonly [Key in keyof T]: T[Key] extends string ? string : Text<T[Key]> };
