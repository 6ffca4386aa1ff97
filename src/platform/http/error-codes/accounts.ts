import type { ErrorDescription } from './description.ts';

export const ACCOUNT_ERRORS = {
  user_not_found: {
    status: 404,
    message: 'User not found',
    cause: 'No user has this id, or the user belongs to another seller.',
    remedy: 'Check the id. The user may have been deleted.',
  },
  session_not_found: {
    status: 404,
    message: 'Session not found',
    cause: 'The user has no session with this id.',
    remedy: 'Check the id. The session may have ended.',
  },
  api_key_not_found: {
    status: 404,
    message: 'API key not found',
    cause: 'No API key of the seller has this id.',
    remedy: 'Check the id. The key may have been deleted.',
  },
  too_many_api_keys: {
    status: 422,
    message: 'A seller can have at most 50 API keys',
    cause: 'The seller has reached the maximum number of API keys.',
    remedy: 'Delete a key that you no longer use.',
  },
  email_taken: {
    status: 422,
    message: 'Email is already in use',
    cause: 'Another user of the gateway has this email.',
    remedy: 'Use another email.',
  },
  too_many_invitations: {
    status: 422,
    message: 'Too many invitations in seven days, or more than three in a day to one address',
    cause:
      'A seller can send 50 invitations in seven days, and the operator 500. Each can send at most three ' +
      'a day to one address. Revoked and repeated invitations count.',
    remedy: 'Send the invitation on another day.',
  },
  invitation_not_found: {
    status: 404,
    message: 'Invitation not found',
    cause: 'No pending invitation of the team has this id. It may have been accepted.',
    remedy: 'Check the id.',
  },
  invalid_link: {
    status: 400,
    message: 'Link is invalid or has expired',
    cause: 'The token of an emailed link is unknown or expired, or was used before.',
    remedy: 'Request another invitation or another link to reset the password, or sign up again.',
  },
  email_not_configured: {
    status: 422,
    message: 'The gateway cannot send email',
    cause: 'Invitations are sent by email, and the gateway has no SMTP server.',
    remedy: 'Set `SMTP_URL`, or create the user with a password.',
  },
  mail_not_found: {
    status: 404,
    message: 'Email not found',
    cause: 'No email of the last 90 days has this id.',
    remedy: 'Check the id.',
  },
  mail_not_failed: {
    status: 422,
    message: 'Only a FAILED email can be retried',
    cause: 'The email was sent, or waits for its next attempt.',
    remedy: 'Retry emails with the status FAILED only.',
  },
  mail_expired: {
    status: 422,
    message: 'The link of the email has expired',
    cause: 'The email contains a link that is no longer valid.',
    remedy: 'Send another invitation, or have the person request another link to reset the password.',
  },
  last_owner: {
    status: 422,
    message: 'A seller must keep at least one OWNER',
    cause: 'The change would leave the seller without a user with the role OWNER.',
    remedy: 'Give another user the role OWNER first.',
  },
  last_admin: {
    status: 422,
    message: 'The last ADMIN cannot be deleted',
    cause: 'The gateway needs a user with the role ADMIN.',
    remedy: 'Create another ADMIN first.',
  },
  cannot_reset_self: {
    status: 422,
    message: 'You cannot reset your own second factor',
    cause: 'Users cannot reset their own second factor.',
    remedy:
      'Ask another OWNER to do it. For an operator user, ask another ADMIN. To remove a second factor that ' +
      'you still have, delete the passkey, or the authenticator app with `DELETE /v1/users/me/two-factor`.',
  },
  cannot_delete_self: {
    status: 422,
    message: 'You cannot delete yourself',
    cause: 'Users cannot delete themselves.',
    remedy: 'Ask another OWNER to do it. For an operator user, ask another ADMIN.',
  },
  wrong_password: {
    status: 422,
    message: 'Password is wrong',
    cause: "The user's current password does not match.",
    remedy: 'Send the current password.',
  },
  wrong_code: {
    status: 422,
    message: 'Code is wrong',
    cause: 'The code does not match, has expired, or was used before.',
    remedy: 'Send the current code of the authenticator app, and check the clock of the device.',
  },
  wrong_password_or_code: {
    status: 422,
    message: 'Password or code is wrong',
    cause: 'The password or the code does not match.',
    remedy: 'Send the current password, with the current code of the authenticator app or a recovery code.',
  },
  wrong_passkey: {
    status: 422,
    message: 'Passkey could not be verified',
    cause:
      "The response of the passkey's authenticator is malformed, wrong or already " +
      'registered, or its challenge has expired, was used before, or was issued for another ' +
      'purpose or session.',
    remedy: 'Request new options, and send the response within five minutes.',
  },
  passkey_not_found: {
    status: 404,
    message: 'Passkey not found',
    cause: 'The user has no passkey with this id.',
    remedy: 'Check the id with `GET /v1/users/me/passkeys`.',
  },
  too_many_passkeys: {
    status: 422,
    message: 'A user can have at most 20 passkeys',
    cause: 'The user has reached the maximum number of passkeys.',
    remedy: 'Delete a passkey that you no longer use.',
  },
  second_factor_not_active: {
    status: 422,
    message: 'The user has no second factor',
    cause: 'The user has neither an authenticator app nor a passkey, so there is nothing to reset.',
    remedy: 'No action is needed. The user can sign in with the password.',
  },
  second_factor_reset_pending: {
    status: 422,
    message: 'A reset of the second factor is already pending',
    cause: 'The second factor of the user will be reset at `secondFactorResetAt`.',
    remedy: 'Wait until that time, or cancel the reset.',
  },
  second_factor_reset_not_found: {
    status: 404,
    message: 'No reset of the second factor is pending',
    cause: 'The reset was canceled or has been executed, or none was requested.',
    remedy: 'Check `secondFactorResetAt` of the user.',
  },
  two_factor_already_active: {
    status: 422,
    message: 'Two-factor authentication is already active',
    cause: 'The user has an active authenticator app.',
    remedy: 'Remove it with `DELETE /v1/users/me/two-factor` before you set up another.',
  },
} as const satisfies Record<string, ErrorDescription>;

export const OPERATOR_ERRORS = {
  seller_not_found: {
    status: 404,
    message: 'Seller not found',
    cause: 'No seller has this id.',
    remedy: 'Check the id.',
  },
  provider_route_not_found: {
    status: 404,
    message: 'Provider route not found',
    cause: 'The path names a method that has no provider.',
    remedy: 'Use a method that `GET /v1/admin/provider-routes` lists.',
  },
  reversal_not_found: {
    status: 404,
    message: 'Reversal not found',
    cause: 'No reversal has this id.',
    remedy: 'Check the id.',
  },
  ledger_check_running: {
    status: 409,
    message: 'Ledger check is still running',
    cause: 'The check takes longer than a request may wait. It continues in the background.',
    remedy: 'Retrieve its progress and result with `GET /v1/admin/ledger/checks/latest`.',
  },
  approval_not_found: {
    status: 404,
    message: 'Approval not found',
    cause: 'No approval request has this id.',
    remedy: 'Check the id.',
  },
  approval_own_request: {
    status: 422,
    message: 'This user made the request; another ADMIN must approve it',
    cause: 'The change must be approved by an ADMIN other than the one who requested it.',
    remedy: 'Ask another ADMIN to approve it.',
  },
  approval_not_pending: {
    status: 422,
    message: 'Request is no longer pending',
    cause:
      'The request was already approved or rejected, has expired (after seven days), or was ' +
      'made by a user who is no longer an ADMIN.',
    remedy: 'Request the change again if it is still needed.',
  },
  approver_too_new: {
    status: 422,
    message: 'ADMINs cannot approve during their first 24 hours',
    cause: 'Another user created this ADMIN less than 24 hours ago.',
    remedy: 'Ask another ADMIN, or wait.',
  },
  shipment_not_found: {
    status: 404,
    message: 'Remittance file not found',
    cause: 'No CNAB remittance file has this id.',
    remedy: 'Check the id.',
  },
  return_file_not_found: {
    status: 404,
    message: 'Return file not found',
    cause: 'No CNAB return file has this id.',
    remedy: 'Check the id.',
  },
  return_line_not_found: {
    status: 404,
    message: 'Return line not found',
    cause: 'The CNAB return file does not exist, or has no line with this number.',
    remedy: 'Check the id and the number with `GET /v1/admin/cnab/returns/{id}/lines`.',
  },
  file_exchange_not_configured: {
    status: 422,
    message: 'File exchange is not configured for this service: set BOLETO_PROVIDER or PAYOUT_PROVIDER',
    cause: 'The gateway is not configured to exchange CNAB files for this service.',
    remedy: 'Set `BOLETO_PROVIDER` or `PAYOUT_PROVIDER` to `cnab`, and restart the gateway.',
  },
  nothing_to_ship: {
    status: 422,
    message: 'No record is waiting for a remittance file',
    cause: 'No boleto or withdrawal is waiting for a remittance file of this service.',
    remedy: 'No action is needed. Create the file after the next boleto or approved withdrawal.',
  },
  payouts_paused: {
    status: 422,
    message: 'Payouts and remittance files are paused after a restore',
    cause:
      'The database was restored to an earlier time. Either nobody has confirmed which payouts were sent ' +
      'after that time, or the number of the last remittance file of this service is missing.',
    remedy:
      'Compare the withdrawals with what the providers received, then run ' +
      '`npm run restored -- --confirm`. If a number is missing, add `--last-file SERVICE=NUMBER`.',
  },
} as const satisfies Record<string, ErrorDescription>;
