import { fileBodyErrors } from '#platform/http/file-errors.ts';

export const importErrors = fileBodyErrors('text/plain');
