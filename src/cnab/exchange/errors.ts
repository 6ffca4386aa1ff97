import { fileBodyErrors } from '#platform/http/file-errors.ts';
import { MAX_FILE_BYTES } from '#cnab/codec/file.ts';

export const importErrors = fileBodyErrors('text/plain', MAX_FILE_BYTES);
