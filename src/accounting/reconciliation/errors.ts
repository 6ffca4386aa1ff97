import { fileBodyErrors } from '#platform/http/file-errors.ts';
import { MAX_FILE_BYTES } from './settlement-file.ts';

export const importErrors = fileBodyErrors('text/csv', MAX_FILE_BYTES);
