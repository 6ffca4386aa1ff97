/** Messages of refusals that several routes share. */
export const EMAIL_TAKEN = 'E-mail is already in use';
export const USER_NOT_FOUND = 'User not found';
