/** What is wrong with one field. */
export interface FieldErrorDescription {
  readonly cause: string;
  readonly remedy: string;
}

/** The codes in `errors` of `validation_failed` and `invalid_file`. */
export const FIELD_ERRORS = {
  required: {
    cause: 'The field is missing, null or empty.',
    remedy: 'Send a value.',
  },
  invalid_type: {
    cause: 'The value has the wrong JSON type, for example a string instead of a number.',
    remedy: 'Send the type that the API reference states.',
  },
  invalid_option: {
    cause: 'The value is not one of the allowed values.',
    remedy: 'Send one of the values that `message` lists.',
  },
  invalid_format: {
    cause: 'The text does not have the required format.',
    remedy: 'Send the format that `message` names.',
  },
  invalid_value: {
    cause: 'The value has the correct type and format, but violates another rule.',
    remedy: 'Send a value that follows the rule in `message`.',
  },
  invalid_combination: {
    cause: 'The field does not fit the other fields of the request.',
    remedy: 'Change or omit one of the fields that `message` names.',
  },
  too_small: { cause: 'The number is below the minimum.', remedy: 'Send at least the minimum.' },
  too_large: { cause: 'The number is above the maximum.', remedy: 'Send at most the maximum.' },
  too_short: { cause: 'The text has too few characters.', remedy: 'Send a longer text.' },
  too_long: { cause: 'The text has too many characters.', remedy: 'Send a shorter text.' },
  too_common: {
    cause: 'The password is common or easily guessed, for example from the name or the email.',
    remedy: 'Choose another: several unrelated words, or one that a password manager generates.',
  },
  too_many: { cause: 'The array or object has too many elements.', remedy: 'Send fewer elements.' },
  invalid_line: {
    cause: 'A line of an imported file, or the file as a whole, is invalid.',
    remedy: 'Correct the line by the rule in `message`, and import the whole file again.',
  },
} as const satisfies Record<string, FieldErrorDescription>;
