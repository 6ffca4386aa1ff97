// Made by generate-api.ts from the OpenAPI document; not written by hand.

export interface paths {
    "/v1/admin/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log
         * @description Returns one page of the audit log, newest first, or all of it as CSV with `export=true`. Each entry was written in the same database transaction as its change.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/cnab": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the bank exchange
         * @description Returns the bank and the services that files are exchanged for.
         */
        get: operations["getBankExchange"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/cnab/returns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List return files
         * @description Returns one page of the imported return files, newest first.
         */
        get: operations["listReturnFiles"];
        put?: never;
        /**
         * Import a return file
         * @description Imports a CNAB 240 return file of the bank and applies its events. The body is the file (`text/plain`). An incomplete file is rejected as a whole. Each event is applied once, even if several files report it. The same bytes again return their outcomes with status 200, and apply lines that a crash left open. Returns the outcomes of its lines.
         */
        post: operations["importReturnFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/cnab/returns/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a return file
         * @description Returns an imported return file and the outcomes of its lines.
         */
        get: operations["getReturnFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/cnab/returns/{id}/lines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List lines of a return file
         * @description Returns the lines of a return file with their fees and outcomes, in the order of the file.
         */
        get: operations["listReturnLines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/cnab/shipments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List shipment files
         * @description Returns one page of the shipment files, newest first.
         */
        get: operations["listShipments"];
        put?: never;
        /**
         * Create a shipment file
         * @description Creates the next CNAB 240 shipment file of a service, with at most 5,000 waiting records. Each record is sent in one file only. Returns the shipment; download its file with `GET /v1/admin/cnab/shipments/{id}/file`.
         */
        post: operations["createShipment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/cnab/shipments/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a shipment file
         * @description Returns the shipment file as text, to be sent to the bank.
         */
        get: operations["downloadShipmentFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List disputes of all sellers
         * @description Returns one page of the disputes of all sellers, newest first.
         */
        get: operations["listAllDisputes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/disputes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a dispute
         * @description Returns a dispute of any seller.
         */
        get: operations["getAnyDispute"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/disputes/{id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve a dispute
         * @description Closes a dispute. RESOLVED is in the seller's favor: the transaction becomes PAID again and the money is released. REJECTED is in the payer's favor: the transaction becomes CHARGEDBACK (card) or REFUNDED (Pix, boleto). Returns the dispute.
         */
        post: operations["resolveDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/ledger/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the ledger
         * @description Recomputes every balance from the ledger entries, and verifies the chain over them. Use it after a restore or a suspicion. Reads the whole ledger. Returns all discrepancies.
         */
        get: operations["checkLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/privacy/erase": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase personal data
         * @description Replaces name, e-mail, phone, document and reference of a payer by placeholders, in the transactions of all sellers and in the texts of related records. Use it for a request of erasure under the LGPD. Amounts and the ledger stay unchanged. Cannot be undone. Works page by page: continue with `after` until `next` is null. The audit log records the erasure without the payer. Returns what was erased and what must be kept.
         */
        post: operations["erasePayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/privacy/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Export personal data
         * @description Returns the personal data of a payer from the transactions of all sellers, page by page: continue with `after` until `next` is null. Use it for a request of access under the LGPD. The audit log records the export without the payer.
         */
        post: operations["exportPayer"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/provider-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List provider events
         * @description Returns one page of the events that providers reported, newest first, with what each of them changed.
         */
        get: operations["listProviderEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List providers
         * @description Returns the external providers with their health, as observed by the responding process since its start. The sandbox is not listed.
         */
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/reconciliation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reconciliation days
         * @description Compares what providers settled with what the ledger contains, for each day and provider of a period. Computed on request, so that late entries count.
         */
        get: operations["listReconciliationDays"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/reconciliation/differences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List differences
         * @description Returns the lines and ledger movements of a period that have no counterpart or differ from it, or all of them as CSV with `export=true`.
         */
        get: operations["listDifferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/reconciliation/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List settlement files
         * @description Returns one page of the imported settlement files, newest first.
         */
        get: operations["listSettlementFiles"];
        put?: never;
        /**
         * Import a settlement file
         * @description Imports a settlement file of a provider. The body is the file (`text/csv`); its format is described in docs/settlement-files.md. An invalid file is rejected as a whole. The same bytes again change nothing, and return the first import with status 200. Returns the file.
         */
        post: operations["importSettlementFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/reversals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reversals
         * @description Returns one page of the reversals, newest first: payments that are sent back to the payer because they were late, duplicates, or of another amount. They are never credited to the seller.
         */
        get: operations["listReversals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/reversals/{id}/settle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Settle a reversal manually
         * @description Marks a reversal as settled, with a note. Use it after you have returned the money yourself. Returns the reversal.
         */
        post: operations["settleReversal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/sellers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sellers
         * @description Returns one page of the sellers, newest first, or all of them as CSV with `export=true`.
         */
        get: operations["listSellers"];
        put?: never;
        /**
         * Create a seller
         * @description Creates a seller and the user who owns it. The seller is ACTIVE unless `status` says otherwise, and has the default fees. Returns the seller.
         */
        post: operations["createSeller"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/sellers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a seller
         * @description Returns a seller with its limits. Its document is masked.
         */
        get: operations["getSeller"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a seller
         * @description Changes the status and the limits of a seller; omitted fields stay unchanged. Returns the updated seller.
         */
        patch: operations["updateSeller"];
        trace?: never;
    };
    "/v1/admin/sellers/{id}/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a seller's API keys
         * @description Returns all API keys of a seller, newest first. Only the first characters of each key are included.
         */
        get: operations["listSellerApiKeys"];
        put?: never;
        /**
         * Create a seller's API key
         * @description Creates an API key of a seller. Returns the key, which is shown only once.
         */
        post: operations["createSellerApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/sellers/{id}/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a seller's API key
         * @description Deletes an API key of a seller, which stops working immediately. Returns the id of the key.
         */
        delete: operations["deleteSellerApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/sellers/{id}/fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a seller's fees
         * @description Returns the fee schedule of a seller.
         */
        get: operations["getSellerFees"];
        /**
         * Replace a seller's fees
         * @description Replaces the fee schedule of a seller. It applies to transactions created from now on; existing ones keep their fee. Returns the new schedule.
         */
        put: operations["replaceSellerFees"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/sellers/{id}/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the users of a seller
         * @description Returns one page of the users of a seller, newest first.
         */
        get: operations["listSellerUsers"];
        put?: never;
        /**
         * Create a user of a seller
         * @description Creates a user of a seller, who can sign in at once with the given password. Returns the user.
         */
        post: operations["createSellerUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/sellers/{id}/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a user of a seller
         * @description Deletes a user of a seller and revokes its tokens immediately. Returns the id of the user.
         */
        delete: operations["deleteSellerUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/sellers/{id}/wallet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a seller's wallet
         * @description Returns the balances of a seller: the sums, and those of each origin.
         */
        get: operations["getSellerWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the settings
         * @description Returns the settings of the operator that apply to all sellers.
         */
        get: operations["getSettings"];
        /**
         * Replace the settings
         * @description Replaces the settings of the operator. They apply to every later decision, also on withdrawals that are already pending. Returns the new settings.
         */
        put: operations["replaceSettings"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the system state
         * @description Returns the version, the size of the database, the webhook queue and the worker processes. Use it for monitoring.
         */
        get: operations["getSystem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactions of all sellers
         * @description Returns one page of the transactions of all sellers, newest first, or all of them as CSV with `export=true`.
         */
        get: operations["listAllTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a transaction
         * @description Returns a transaction of any seller, with its seller and its history.
         */
        get: operations["getAnyTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/transactions/{id}/dispute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a dispute
         * @description Opens a dispute for a paid transaction of any seller. Use it when a bank reports one by other means. The disputed amount, by default what has not been refunded, is held, and the transaction becomes DISPUTE. Returns the dispute.
         */
        post: operations["openDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users of the operator
         * @description Returns one page of the users of the operator, newest first.
         */
        get: operations["listOperatorUsers"];
        put?: never;
        /**
         * Create a user of the operator
         * @description Creates a user of the operator with the role ADMIN or SUPPORT, who can sign in at once with the given password. Returns the user.
         */
        post: operations["createOperatorUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a user of the operator
         * @description Deletes a user of the operator and revokes its tokens immediately. The last ADMIN cannot be deleted. Returns the id of the user.
         */
        delete: operations["deleteOperatorUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks of all sellers
         * @description Returns one page of the webhooks of all sellers, newest first. Use it to find endpoints that fail.
         */
        get: operations["listAllWebhooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List withdrawals of all sellers
         * @description Returns one page of the withdrawals of all sellers, newest first, or all of them as CSV with `export=true`.
         */
        get: operations["listAllWithdrawals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a withdrawal
         * @description Returns a withdrawal of any seller, with its approvals.
         */
        get: operations["getAnyWithdrawal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve a withdrawal
         * @description Approves a PENDING withdrawal, which is then paid out. Above `twoPersonApprovalAbove` the first approval is recorded and the withdrawal stays PENDING; a second ADMIN completes it. Returns the withdrawal.
         */
        post: operations["approveWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/withdrawals/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject a withdrawal
         * @description Rejects a PENDING withdrawal with a reason, which the seller sees. Its amount returns to the available balance. Returns the withdrawal.
         */
        post: operations["rejectWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Returns all API keys of the seller, newest first. Only the first characters of each key are included.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates an API key with a role. Returns the key, which is shown only once. A key cannot have a permission that the caller lacks.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an API key
         * @description Deletes an API key, which stops working immediately. To rotate a key, create another one first. Returns the id of the key.
         */
        delete: operations["deleteApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out everywhere
         * @description Revokes all tokens of the signed-in user, in all browsers and programs, immediately. To end one session, use `DELETE /v1/users/me/sessions/{id}`. API keys get 403: delete the key instead.
         */
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh an access token
         * @description Exchanges a refresh token for a new access token and a new refresh token. Use it before the access token expires. A refresh token works once: a second use revokes all tokens that were derived from it. Without `refreshToken` in the body, the token in the cookie is exchanged and its successor is set as the cookie; such a request needs `x-requested-by: dashboard` and a JSON body (`{}`), and may be repeated for ten seconds.
         */
        post: operations["refreshToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/card-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save a card
         * @description Stores a card and returns a token for it. Send the token as `card.token` to charge the card without its number. The number is stored encrypted until a month after the card expires. The cvv is not stored.
         */
        post: operations["createCardToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List disputes
         * @description Returns one page of the disputes of the seller, newest first.
         */
        get: operations["listDisputes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a dispute
         * @description Returns a dispute, in the form of a list with one item.
         */
        get: operations["getDispute"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/disputes/appeal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Appeal an open dispute
         * @description Contests a dispute with a reason, until `appealUntil`. Returns the dispute, which becomes UNDER_REVIEW. A dispute without an appeal is lost.
         */
        post: operations["appealDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Returns the events that webhooks receive, oldest first. Use it where webhooks cannot reach you. Pass `nextCursor` as `after` to continue. Each event is returned once; events written at the same time are in no particular order. With `wait`, the response is sent as soon as there is an event. A response may contain a few more events than `take`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fees/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Simulate a fee
         * @description Calculates the fee of a transaction and the days on which its net amount would become available, with the current fee schedule and delays. Creates nothing.
         */
        get: operations["simulateFees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check readiness
         * @description Reports whether the gateway and its database can serve requests. Use it for load balancers and readiness probes. Returns 503 with the failing part if they cannot. Requires no credential and counts against no rate limit.
         */
        get: operations["check"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/health/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check liveness
         * @description Succeeds while the process can respond, even if its database is unavailable. Use it for liveness probes, which restart the process. Requires no credential and counts against no rate limit.
         */
        get: operations["checkLive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in
         * @description Exchanges an e-mail and a password for an access token and a refresh token. A user with a second factor gets a challenge instead: send it with a code to `POST /v1/login/two-factor`. After ten failures in 15 minutes for one e-mail or IP address, responds with 429 until `Retry-After` has passed; a browser that has signed in before with `session: "cookie"` is counted by itself. With `session: "cookie"`, a request from a page of another origin gets 403.
         */
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/login/two-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete sign-in with a code
         * @description Completes a sign-in with the challenge of `POST /v1/login` and a code of the authenticator, or a recovery code. Returns the tokens of the session. Responds with 401 `Unauthorized` if the challenge has expired: sign in again. Five failures for one challenge, ten in 15 minutes for one user or IP address, or thirty in a day for one user lead to 429.
         */
        post: operations["loginWithTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/reports/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a summary report
         * @description Returns payments, fees and refunds of a period and, for comparison, of the period before it. Payments, refunds and chargebacks count in the hour or day of their ledger entries. The previous period has the same number of days, or with `interval=month` starts the same number of months earlier.
         */
        get: operations["getSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Advance the clock
         * @description Moves the clock of the gateway forward. Expirations, releases, retries and deadlines take effect as if the time had passed. Use it to test them without waiting. The clock cannot be set back. Returns the new time.
         */
        post: operations["advanceClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/settlement-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a settlement file
         * @description Returns the settlement file of the sandbox bank for a day. It can be imported with `POST /v1/admin/reconciliation/files`, unchanged or altered.
         */
        get: operations["downloadSettlementFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/transactions/{id}/chargeback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a chargeback
         * @description Charges a payment back as if the cardholder had won a dispute with the issuer. Returns the transaction, which becomes CHARGEDBACK.
         */
        post: operations["sandboxChargebackTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/transactions/{id}/dispute": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a dispute
         * @description Opens a dispute as if the payer had contested the payment. Returns the transaction, which becomes DISPUTE.
         */
        post: operations["sandboxOpenDispute"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/transactions/{id}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a failure
         * @description Ends a transaction as if the provider had failed to process it. Returns the transaction, which becomes FAILED.
         */
        post: operations["sandboxFailTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/transactions/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a payment
         * @description Pays a transaction as its payer would, in full unless the body says otherwise. Returns the transaction, which becomes PAID. A payment that does not belong to the seller (a second payment, another amount, a transaction that has ended) is returned to the payer.
         */
        post: operations["sandboxPayTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/transactions/{id}/processing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a payment as processing
         * @description Reports that the provider has begun to process the payment. Returns the transaction, which becomes PROCESSING.
         */
        post: operations["sandboxProcessingTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/transactions/{id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a refusal
         * @description Ends a transaction as if anti-fraud review had refused it. Returns the transaction, which becomes REFUSED.
         */
        post: operations["sandboxRefuseTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/withdrawals/{id}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a failed payout
         * @description Fails a PROCESSING withdrawal and returns its amount to the balance. Returns the withdrawal, which becomes FAILED.
         */
        post: operations["sandboxFailWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sandbox/withdrawals/{id}/pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate a successful payout
         * @description Completes a PROCESSING withdrawal. Returns the withdrawal, which becomes PAID.
         */
        post: operations["sandboxPayWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/seller-wallet/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List wallet entries
         * @description Returns one page of the statement of the wallet, newest first, or all of it as CSV with `export=true`. Each entry has its cause and the balances after it.
         */
        get: operations["listWalletEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/seller-wallet/gestao": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the wallet
         * @description Returns the balances of the seller: the sums, and those of each origin. A withdrawal is paid from the balance of one origin.
         */
        get: operations["getWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/seller-wallet/releases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List upcoming releases
         * @description Returns when blocked money becomes available, by day and origin, and what the blocked balance consists of.
         */
        get: operations["listReleases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sellers/me/fees": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve your fees
         * @description Returns the fee schedule of the seller. FIXED values are cents, PERCENTAGE values hundredths of a percent.
         */
        get: operations["getFees"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List transactions
         * @description Returns one page of the transactions of the seller, newest first, or all of them as CSV with `export=true`. Retrieve a transaction to see its payer and payment data.
         */
        get: operations["listTransactions"];
        put?: never;
        /**
         * Create a transaction
         * @description Creates a transaction that a payer can pay by Pix or boleto, or charges a card. Returns the transaction with the Pix code, or with the addresses of the boleto. A card is charged immediately: status 201 with a FAILED transaction means that the card was declined, and `statusReason` contains the reason.
         */
        post: operations["createTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a transaction
         * @description Returns a transaction with its customer, items and payment data.
         */
        get: operations["getTransaction"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an unpaid transaction
         * @description Ends a transaction that has not been paid. Returns the transaction, which becomes FAILED. A payment that arrives later is recorded and returned to the payer.
         */
        post: operations["cancelTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/{id}/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Capture an authorized card payment
         * @description Charges an AUTHORIZED card payment, in full or in part. Returns the transaction, which becomes PAID. If a card provider must confirm the capture first, it stays AUTHORIZED until then, and TRANSACTION_UPDATED is sent. An authorization that is not captured lapses after five days.
         */
        post: operations["captureTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/{id}/refund": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refund a transaction
         * @description Returns a payment to the payer, in full or in part. Returns the transaction, which becomes REFUNDED once nothing remains. The fee is not returned and may make the available balance negative. Pix payments can be refunded for 90 days.
         */
        post: operations["refundTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a transaction's timeline
         * @description Returns every status that a transaction has had, and its refunds. Use it to show what happened and when.
         */
        get: operations["getTransactionTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/{id}/void": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Void an authorization
         * @description Ends an AUTHORIZED card payment without charging it. Returns the transaction, which becomes FAILED.
         */
        post: operations["voidTransaction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look up transactions
         * @description Finds transactions by id, amount, payer or description, for search boxes. Returns at most 20, newest first, whose amount equals `text`, or whose payer's name, e-mail or `externalRef` or whose description contains it. Searches the 20,000 newest transactions; `searchedSince` is the creation time of the oldest of them. A complete id finds its transaction whatever its age. Programs should retrieve a transaction by its id or search by metadata.
         */
        post: operations["lookUpTransactions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/transactions/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search transactions by metadata
         * @description Returns the transactions whose metadata has the given key and, optionally, a value that contains the given text. Transactions are complete and include their seller.
         */
        get: operations["searchTransactions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Returns one page of the users of the seller, newest first.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description Creates a user of the seller, who can sign in at once with the given password. Returns the user. API keys get 403.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a user
         * @description Deletes a user of the seller and revokes its sessions immediately. Returns the id of the user. API keys get 403.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /**
         * Update a user
         * @description Changes the name or the role of a user of the seller, with immediate effect. Returns the updated user. The last OWNER keeps its role. API keys get 403.
         */
        patch: operations["updateUser"];
        trace?: never;
    };
    "/v1/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the signed-in user
         * @description Returns the user of the access token, with its role, seller and second factor. API keys get 403.
         */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update the signed-in user
         * @description Changes the name of the user of the access token. Returns the updated user. API keys get 403.
         */
        patch: operations["updateMe"];
        trace?: never;
    };
    "/v1/users/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change your password
         * @description Replaces the password of the signed-in user and revokes all its other sessions. Requires the current password. Users of the operator need at least 12 characters. After ten failures of a session in 15 minutes, or thirty in a day, responds with 429.
         */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your sessions
         * @description Returns the active sessions of the signed-in user, newest first, at most 100. Use it to find sessions to revoke.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a session
         * @description Revokes all tokens of one session of the signed-in user, immediately. Returns the id of the session.
         */
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/two-factor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set up two-factor authentication
         * @description Returns a new seed for an authenticator app (TOTP, RFC 6238: SHA-1, 6 digits, 30 seconds). The second factor is not required until it is confirmed with `POST /v1/users/me/two-factor/confirm`. A further request replaces the seed.
         */
        post: operations["setUpTwoFactor"];
        /**
         * Disable two-factor authentication
         * @description Deletes the seed and the recovery codes, so that the password alone suffices to sign in. Requires the password and a code. After ten failures of a session in 15 minutes, or thirty in a day, responds with 429.
         */
        delete: operations["disableTwoFactor"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/users/me/two-factor/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm two-factor authentication
         * @description Enables the second factor with a code of the authenticator. From now on, signing in requires a code. Revokes all other sessions of the user. Returns the recovery codes, which are shown only once.
         */
        post: operations["confirmTwoFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Returns all webhooks of the seller.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook
         * @description Registers an HTTPS endpoint for events. Returns the webhook with its secret, which signs the deliveries and is shown only once. A seller can have at most 20 webhooks.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a webhook
         * @description Returns a webhook, without its secret.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Deletes a webhook, which receives no further events. Returns its id.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Update a webhook
         * @description Changes a webhook; omitted fields stay unchanged. Pending deliveries are sent to the new URL. With `status`, disables the webhook or enables it again. The gateway also disables a webhook that responds with 410, or to which every attempt has failed for five days. Returns the updated webhook.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay a webhook
         * @description Sends the deliveries that were held while a webhook was disabled, and the failed ones that were not sent again since. The webhook must be ACTIVE, unless `dryRun` is set. Returns the number of deliveries.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a webhook secret
         * @description Creates a new secret for a webhook. For another 24 hours the old secret signs in addition to the new one, so that you can replace it without losing events. Returns the webhook with the new secret, which is shown only once.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event
         * @description Sends a PING event to a webhook, whatever its event type. Returns the id of the delivery, which shows the result.
         */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deliveries
         * @description Returns one page of the webhook deliveries of the seller, newest first. Use it to find out what your endpoints received and when.
         */
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a delivery
         * @description Returns a delivery with its payload and all attempts.
         */
        get: operations["getDelivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend a delivery
         * @description Sends the event of a delivery to the same endpoint again, as a new delivery with its own attempts. Returns the id of the new delivery.
         */
        post: operations["resendDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/deliveries/resend-failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend failed deliveries
         * @description Sends failed deliveries again, to all enabled endpoints or to one webhook. Use it after an outage of your system. Deliveries that were sent again since they failed are left out, so that a repeated request sends nothing twice. Returns the number of deliveries.
         */
        post: operations["resendFailedDeliveries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/event-types": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List event types
         * @description Returns each event type with the JSON Schema of its body and an example. Use it to generate code and tests.
         */
        get: operations["listEventTypes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/postback-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve the postback secret
         * @description Returns the secret that signs deliveries to the `postbackUrl` of transactions.
         */
        get: operations["getPostbackSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/resend-transaction-event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend transaction events
         * @description Sends the current state of up to 100 transactions to every enabled webhook for their event type, and to their postbackUrl. If one id is unknown, nothing is sent. Returns the number of deliveries.
         */
        post: operations["resendTransactionEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/resend-withdrawal-event": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resend withdrawal events
         * @description Sends the current state of up to 100 withdrawals to every enabled webhook for their event type. If one id is unknown, nothing is sent. Returns the number of deliveries.
         */
        post: operations["resendWithdrawalEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/withdrawals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List withdrawals
         * @description Returns one page of the withdrawals of the seller, newest first, or all of them as CSV with `export=true`.
         */
        get: operations["listWithdrawals"];
        put?: never;
        /**
         * Create a withdrawal
         * @description Pays out a part of the balance. `amount` is deducted from the available balance at once and reserved until the withdrawal is final; the payee receives it less the fee. The operator approves withdrawals, except those up to the automatic approval limit. Returns the withdrawal.
         */
        post: operations["createWithdrawal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/withdrawals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a withdrawal
         * @description Returns a withdrawal. The destination is masked.
         */
        get: operations["getWithdrawal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/withdrawals/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve a withdrawal's timeline
         * @description Returns every status that a withdrawal has had. Use it to show what happened and when.
         */
        get: operations["getWithdrawalTimeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/withdrawals/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search withdrawals by metadata
         * @description Returns the withdrawals whose metadata has the given key and, optionally, a value that contains the given text, newest first. Field names are snake_case.
         */
        get: operations["searchWithdrawals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    DISPUTE_UPDATED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A dispute has changed its status
         * @description Sent to webhooks of the types DISPUTE and ALL.
         */
        post: operations["disputeUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    PING: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A webhook is tested
         * @description Sent to one webhook when its seller requests a test, whatever its event type.
         */
        post: operations["ping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    TRANSACTION_UPDATED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A transaction has changed its status
         * @description Sent to webhooks of the types TRANSACTION and ALL, and to the postbackUrl of the transaction. Sent on creation only if the transaction already has its final status, as a card payment does.
         */
        post: operations["transactionUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    WITHDRAWAL_UPDATED: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A withdrawal has changed its status
         * @description Sent to webhooks of the types WITHDRAWAL and ALL.
         */
        post: operations["withdrawalUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AdvanceClockRequest: {
            /** @description Seconds to move the clock forward. */
            advanceSeconds: number;
        };
        /** @description An API key of a seller. */
        ApiKey: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The id of the key.
             */
            id: string;
            /**
             * Format: date-time
             * @description Accurate to one minute.
             */
            lastUsedAt: string | null;
            /** @description Name, to recognize the key by. */
            name: string;
            /** @description The first characters of the key, to recognize it by. */
            prefix: string;
            /**
             * @description Role of the key, which limits what it may do.
             * @enum {string}
             */
            role: "OWNER" | "FINANCE" | "DEVELOPER" | "VIEWER";
        };
        ApiKeyList: {
            /** @description Number of records. */
            count: number;
            /** @description The records. */
            data: components["schemas"]["ApiKey"][];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        AppealDisputeRequest: {
            /** @description Why the payment is legitimate. The payer's bank decides by it. */
            appealReason: string;
            /** @description The dispute to appeal. */
            disputeId: string;
        };
        /** @description A change in the audit log. */
        AuditEntry: {
            /** @description What was done. */
            action: string;
            /** @description Who made the change. */
            actor: {
                /**
                 * Format: uuid
                 * @description The id of the user or API key. Null for the gateway itself.
                 */
                id: string | null;
                /**
                 * @description Type of the author.
                 * @enum {string}
                 */
                kind: "OPERATOR_USER" | "SELLER_USER" | "API_KEY" | "GATEWAY";
                /** @description The name at the time of the change. */
                name: string | null;
            };
            /** @description The changed members after the change. Null for a deleted record. */
            after: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: date-time
             * @description When the change was made.
             */
            at: string;
            /** @description The changed members before the change. Null for a created record. */
            before: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description The id of the entry.
             */
            id: string;
            /** @description Null if there is only one record of the type. */
            recordId: string | null;
            /** @description Type of the changed record. */
            recordType: string;
            /** @description The x-request-id of the request. */
            requestId: string | null;
            /** @description The seller that the record belongs to. */
            sellerId: string | null;
        };
        AuditEntryPage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["AuditEntry"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description Balances in cents. */
        Balances: {
            /** @description Cents that can be withdrawn, net of fees. */
            availableBalance: number;
            /** @description Cents held for retention, disputes and withdrawals under way. */
            blockedBalance: number;
            /** @description Available plus blocked, in cents. */
            totalBalance: number;
        };
        /** @description The bank that files are exchanged with. */
        BankExchange: {
            /** @description Three digits; null if no files are exchanged. */
            bankCode: string | null;
            /** @description Services that exchange files. */
            services: ("BOLETOS" | "TRANSFERS" | "PIX")[];
        };
        BankExchangeResponse: {
            data: components["schemas"]["BankExchange"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description Boletos only. */
        Boleto: {
            /** @description URL of the barcode image. */
            barcode: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description 47 digits. */
            digitableLine: string;
            /**
             * Format: date-time
             * @description Until when it can be paid.
             */
            expirationDate: string;
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /** @description Instructions printed on the boleto. */
            instructions: string;
            /** @description URL of the PDF. */
            pdf: string;
            /** @description URL of the Pix QR code image. */
            qrcode: string;
            /**
             * @description Whether the bank has registered the boleto. A PENDING boleto cannot be paid. Null if the bank requires no registration.
             * @enum {string|null}
             */
            registration: "PENDING" | "REGISTERED" | "REJECTED" | null;
            /**
             * Format: uuid
             * @description The transaction.
             */
            transactionId: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description The payer's page. */
            url: string;
        } | null;
        CaptureTransactionRequest: {
            /** @description Cents. Defaults to the whole amount. */
            amount?: number | null;
        };
        /** @description Card payments only. */
        Card: {
            /** @description Card brand, such as VISA; null if unknown. */
            brand: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description Always empty: card data is never returned. */
            cvv: string;
            /** @description Always 0. */
            expirationMonth: number;
            /** @description Always 0. */
            expirationYear: number;
            /** @description Always empty: card data is never returned. */
            holderDocument: string;
            /** @description Always empty: card data is never returned. */
            holderName: string;
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /** @description Always empty: card data is never returned. */
            number: string;
            /**
             * Format: uuid
             * @description The transaction.
             */
            transactionId: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        } | null;
        /** @description Required for CREDIT_CARD. Without a token, number, holderName, expiration and cvv are required too. */
        CardInput: {
            /** @description ISO 4217. Required if global is true; must not be BRL. */
            currency?: string | null;
            /** @description Not stored. */
            cvv?: string | null;
            /** @description Month, from 1 to 12. */
            expirationMonth?: number | null;
            /** @description Four digits. Two digits mean 20YY. */
            expirationYear?: number | null;
            /** @description CPF or CNPJ of the cardholder, without punctuation. */
            holderDocument?: string | null;
            /** @description Name as printed on the card. */
            holderName?: string | null;
            /** @description The payer's IP address. */
            ip?: string | null;
            /** @description Digits, without spaces. */
            number?: string | null;
            /** @description From the anti-fraud script on the checkout page. */
            sessionId?: string | null;
            threeDS?: components["schemas"]["ThreeDSecureInput"];
            /**
             * Format: uuid
             * @description A token from POST /card-tokens. Replaces number and cvv.
             */
            token?: string | null;
        } | null;
        /** @description A saved card. */
        CardToken: {
            /** @description Card brand, such as VISA; null if unknown. */
            brand: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description Month, from 1 to 12. */
            expirationMonth: number;
            /** @description Year, four digits. */
            expirationYear: number;
            /** @description Last four digits of the number. */
            lastFour: string;
            /**
             * Format: uuid
             * @description Send it as card.token.
             */
            token: string;
        };
        CardTokenResponse: {
            data: components["schemas"]["CardToken"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        ChangePasswordRequest: {
            /** @description The password until now. */
            currentPassword: string;
            /** @description At least 10 characters. Common and easily guessed passwords are refused. */
            newPassword: string;
        };
        /** @description The clock of the gateway. */
        Clock: {
            /**
             * Format: date-time
             * @description The time of the clock.
             */
            now: string;
            /** @description Seconds that the clock is ahead of real time. */
            offsetSeconds: number;
        };
        ClockResponse: {
            data: components["schemas"]["Clock"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        ConfirmTwoFactorRequest: {
            /** @description The code that the authenticator shows. Each code works once. */
            code: string;
        };
        /** @description A new session. Its refresh token is in a cookie. */
        CookieSignIn: {
            /** @description JWT, valid for one hour. */
            accessToken: string;
            user: components["schemas"]["SignedInUser"];
        };
        CreateApiKeyRequest: {
            /** @description Name, to recognize the key by. */
            name: string;
            /**
             * @description Defaults to OWNER.
             * @enum {string}
             */
            role?: "OWNER" | "FINANCE" | "DEVELOPER" | "VIEWER";
        };
        CreateCardTokenRequest: {
            /** @description Security code. Not stored. */
            cvv?: string | null;
            /** @description Month, from 1 to 12. */
            expirationMonth: number;
            /** @description Four digits. Two digits mean 20YY. */
            expirationYear: number;
            /** @description Name as printed on the card. */
            holderName: string;
            /** @description Card number: digits, without spaces. */
            number: string;
        };
        /** @description The transaction and, for Pix, the code for your checkout page. */
        CreatedTransaction: {
            /** @description Cents. */
            amount: number;
            boleto: components["schemas"]["Boleto"];
            card: components["schemas"]["Card"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            customer: components["schemas"]["Customer"];
            /** @description The description of the request. */
            description: string | null;
            /**
             * Format: date-time
             * @description When an unpaid Pix expires.
             */
            expiresAt?: string;
            /** @description Cents. */
            feeAmount: number;
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /** @description Card payments only. */
            installments: number | null;
            /** @description What is sold. */
            items: components["schemas"]["Item"][];
            /** @description The metadata of the request. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * @description How the payer pays.
             * @enum {string}
             */
            method: "PIX" | "BOLETO" | "CREDIT_CARD";
            /** @description Amount minus the fee, in cents. */
            netAmount: number;
            /**
             * Format: date-time
             * @description When it was paid; null if it has not been paid.
             */
            paidAt: string | null;
            pix: components["schemas"]["Pix"];
            /** @description The BR Code to copy and paste. */
            pixQrCode?: string;
            /** @description A PNG image as a data URI. */
            pixQrCodeBase64?: string;
            /** @description URL that is notified of updates, in addition to your webhooks. */
            postbackUrl: string | null;
            /** @description Cents returned to the payer so far. */
            refundedAmount: number;
            /** @description Cents that a provider is returning to the payer and has not confirmed yet. */
            refundingAmount: number;
            /**
             * @description Status. PENDING and WAITING_PAYMENT wait for the payer; AUTHORIZED can be captured.
             * @enum {string}
             */
            status: "PENDING" | "WAITING_PAYMENT" | "PROCESSING" | "AUTHORIZED" | "PAID" | "FAILED" | "REFUSED" | "REFUNDED" | "CHARGEDBACK" | "DISPUTE";
            /** @description Why it is FAILED or REFUSED. */
            statusReason: string | null;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        CreatedTransactionResponse: {
            data: components["schemas"]["CreatedTransaction"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        CreateOperatorUserRequest: {
            /**
             * Format: email
             * @description E-mail address, used to sign in.
             */
            email: string;
            /** @description Full name. */
            name: string;
            /** @description At least 12 characters. Common and easily guessed passwords are refused. */
            password: string;
            /**
             * @description ADMIN: everything. SUPPORT: read only.
             * @enum {string}
             */
            role: "ADMIN" | "SUPPORT";
        };
        CreateSellerRequest: {
            /** @description 11 digits for a CPF, 14 characters for a CNPJ. */
            document: string;
            /**
             * @description CPF for a person, CNPJ for a company.
             * @enum {string}
             */
            documentType: "CPF" | "CNPJ";
            /** @description Name of the seller. */
            name: string;
            /**
             * Format: email
             * @description E-mail address of that user, used to sign in.
             */
            ownerEmail: string;
            /** @description Full name of the seller's first user. */
            ownerName: string;
            /** @description At least 10 characters. Common and easily guessed passwords are refused. */
            ownerPassword: string;
            /**
             * @description Status of the seller. Only an ACTIVE seller can use the API.
             * @enum {string}
             */
            status?: "PENDING" | "ACTIVE" | "SUSPENDED" | "CLOSED";
        };
        CreateSellerUserRequest: {
            /**
             * Format: email
             * @description E-mail address, used to sign in.
             */
            email: string;
            /** @description Full name. */
            name: string;
            /** @description At least 10 characters. Common and easily guessed passwords are refused. */
            password: string;
            /**
             * @description What the user may do. OWNER: everything. FINANCE: withdrawals, refunds and appeals. DEVELOPER: transactions, webhooks and API keys. VIEWER: read.
             * @enum {string}
             */
            role: "OWNER" | "FINANCE" | "DEVELOPER" | "VIEWER";
        };
        CreateShipmentRequest: {
            /**
             * @description Content of the file: boletos, payments to bank accounts, or Pix payments.
             * @enum {string}
             */
            service: "BOLETOS" | "TRANSFERS" | "PIX";
        };
        CreateTransactionRequest: {
            /** @description Cents. */
            amount: number;
            /** @description False: authorize the card only and capture later. */
            capture?: boolean | null;
            card?: components["schemas"]["CardInput"];
            customer: components["schemas"]["CustomerInput"];
            /** @description Describes the transaction for your own use. */
            description?: string | null;
            /** @description Seconds until an unpaid transaction fails, for PIX and BOLETO. Defaults to one hour for PIX and three days for BOLETO. */
            expiration?: number | null;
            /** @description An international card payment. */
            global?: boolean | null;
            /** @description Required for CREDIT_CARD. */
            installments?: number | null;
            /** @description What is sold. */
            items: components["schemas"]["ItemInput"][];
            /** @description Returned unchanged. */
            metadata?: Record<string, never> | null;
            /**
             * @description How the payer pays.
             * @enum {string}
             */
            method: "PIX" | "BOLETO" | "CREDIT_CARD";
            /**
             * Format: uri
             * @description Also notified of this transaction's updates, in addition to your webhooks.
             */
            postbackUrl?: string | null;
        };
        CreateUserRequest: {
            /**
             * Format: email
             * @description E-mail address, used to sign in.
             */
            email: string;
            /** @description Full name. */
            name: string;
            /** @description At least 10 characters. Common and easily guessed passwords are refused. */
            password: string;
            /**
             * @description What the user may do. OWNER: everything. FINANCE: withdrawals, refunds and appeals. DEVELOPER: transactions, webhooks and API keys. VIEWER: read.
             * @enum {string}
             */
            role: "OWNER" | "FINANCE" | "DEVELOPER" | "VIEWER";
        };
        CreateWebhookRequest: {
            /** @description Describes the webhook for your own use. */
            description?: string | null;
            /**
             * @description Events that it receives.
             * @enum {string}
             */
            eventType: "TRANSACTION" | "WITHDRAWAL" | "DISPUTE" | "ALL";
            /**
             * Format: uri
             * @description HTTPS URL that receives the events, without credentials.
             */
            url: string;
        };
        CreateWithdrawalRequest: {
            /** @description In cents, deducted from the balance. Includes the fee. */
            amount: number;
            /** @description 11 digits for a CPF, 14 characters for a CNPJ; no punctuation. */
            beneficiaryDocumentNumber?: string | null;
            /**
             * @description The type of beneficiaryDocumentNumber.
             * @enum {string|null}
             */
            beneficiaryDocumentType?: "CPF" | "CNPJ" | null;
            /** @description Name of the payee. */
            beneficiaryName?: string | null;
            /**
             * @description TRC20 by default.
             * @enum {string|null}
             */
            cryptoNetwork?: "TRC20" | "ERC20" | "POLYGON" | "BTC" | null;
            /** @description Required when method is CRYPTO; checked for the network. */
            cryptoWalletAddress?: string | null;
            /** @description Describes the withdrawal for your own use. */
            description?: string | null;
            /** @description Returned unchanged. */
            metadata?: Record<string, never> | null;
            /**
             * @description How the withdrawal is paid.
             * @enum {string}
             */
            method: "PIX" | "CRYPTO";
            /** @description Required when method is PIX. */
            pixKey?: string | null;
            /**
             * @description Required when method is PIX.
             * @enum {string|null}
             */
            pixKeyType?: "CPF" | "CNPJ" | "PHONE" | "EMAIL" | "EVP" | null;
            /**
             * @description The balance that pays; PIX by default.
             * @enum {string|null}
             */
            withdrawFrom?: "PIX" | "BOLETO" | "CARD" | null;
        };
        /** @description The signed-in user. */
        CurrentUser: {
            /**
             * Format: date-time
             * @description When the user was created.
             */
            createdAt: string;
            /** @description E-mail address, used to sign in. */
            email: string;
            /**
             * Format: uuid
             * @description The id of the user.
             */
            id: string;
            /** @description Full name. */
            name: string;
            /**
             * @description Role of the user.
             * @enum {string}
             */
            role: "OWNER" | "FINANCE" | "DEVELOPER" | "VIEWER" | "ADMIN" | "SUPPORT";
            /** @description The user's seller; null for a user of the operator. */
            seller: {
                /**
                 * Format: uuid
                 * @description The id of the seller.
                 */
                id: string;
                /** @description Name of the seller. */
                name: string;
                /**
                 * @description Status of the seller.
                 * @enum {string}
                 */
                status: "PENDING" | "ACTIVE" | "SUSPENDED" | "CLOSED";
            } | null;
            /** @description The second factor of the user. */
            twoFactor: {
                /** @description Whether signing in requires a code. */
                active: boolean;
                /** @description Null if it is not active. */
                recoveryCodesLeft: number | null;
            };
        };
        CurrentUserResponse: {
            data: components["schemas"]["CurrentUser"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description The payer. */
        Customer: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description Masked. */
            document: string;
            /** @description CPF or CNPJ. */
            documentType: string;
            /** @description E-mail address. */
            email: string;
            /** @description Your reference for the customer. */
            externalRef: string | null;
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /** @description Full name, or company name. */
            name: string;
            /** @description Phone number with area code, digits only. */
            phone: string;
        };
        /** @description The payer. */
        CustomerInput: {
            /** @description 11 digits for a CPF, 14 characters for a CNPJ. */
            document: string;
            /**
             * @description CPF for a person, CNPJ for a company.
             * @enum {string}
             */
            documentType: "CPF" | "CNPJ";
            /**
             * Format: email
             * @description E-mail address.
             */
            email: string;
            /** @description Your reference for the customer. */
            externalRef?: string | null;
            /** @description Full name, or company name. */
            name: string;
            /** @description With area code. */
            phone: string;
        };
        /** @description What was deleted. */
        Deletion: {
            /**
             * Format: uuid
             * @description The id of the deleted record.
             */
            id: string;
        };
        DeletionResponse: {
            data: components["schemas"]["Deletion"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A delivery of an event to an endpoint. */
        Delivery: {
            /** @description The number of attempts made. */
            attemptCount: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description The name of the event. */
            event: string;
            /**
             * Format: uuid
             * @description The `webhook-id` header of every attempt and of every delivery of this event.
             */
            eventId: string;
            /**
             * Format: uuid
             * @description The id of the delivery.
             */
            id: string;
            /**
             * Format: date-time
             * @description Null unless it is PENDING.
             */
            nextAttemptAt: string | null;
            /**
             * Format: uuid
             * @description The transaction, withdrawal or dispute that the event is about.
             */
            recordId: string;
            /**
             * @description HELD: the webhook is disabled, and a replay sends the delivery.
             * @enum {string}
             */
            status: "PENDING" | "DELIVERED" | "FAILED" | "HELD";
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description URL that it is sent to. */
            url: string;
            /**
             * Format: uuid
             * @description Null for a postbackUrl.
             */
            webhookId: string | null;
        };
        /** @description An attempt to deliver an event. */
        DeliveryAttempt: {
            /**
             * Format: date-time
             * @description When the attempt started.
             */
            at: string;
            /** @description Why the attempt failed. */
            error: string | null;
            /** @description Milliseconds from the start of the call to the end of the response. */
            latencyMs: number;
            /** @description Starts at 1. */
            number: number;
            /** @description The first 1 KiB of the response body. */
            responseBody: string | null;
            /** @description Null without a response. */
            statusCode: number | null;
        };
        DeliveryPage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["Delivery"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A delivery with its payload and its attempts. */
        DeliveryWithAttempts: {
            /** @description The number of attempts made. */
            attemptCount: number;
            /** @description All attempts, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description The name of the event. */
            event: string;
            /**
             * Format: uuid
             * @description The `webhook-id` header of every attempt and of every delivery of this event.
             */
            eventId: string;
            /**
             * Format: uuid
             * @description The id of the delivery.
             */
            id: string;
            /**
             * Format: date-time
             * @description Null unless it is PENDING.
             */
            nextAttemptAt: string | null;
            /** @description The request body, byte for byte. */
            payload: string;
            /**
             * Format: uuid
             * @description The transaction, withdrawal or dispute that the event is about.
             */
            recordId: string;
            /**
             * @description HELD: the webhook is disabled, and a replay sends the delivery.
             * @enum {string}
             */
            status: "PENDING" | "DELIVERED" | "FAILED" | "HELD";
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description URL that it is sent to. */
            url: string;
            /**
             * Format: uuid
             * @description Null for a postbackUrl.
             */
            webhookId: string | null;
        };
        DeliveryWithAttemptsResponse: {
            data: components["schemas"]["DeliveryWithAttempts"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        DisableTwoFactorRequest: {
            /** @description A code of the authenticator, or a recovery code. */
            code: string;
            /** @description The password of the user. */
            password: string;
        };
        /** @description A payment that a payer disputes with their bank. */
        Dispute: {
            /** @description Disputed amount in cents, which is held. */
            amount: number;
            /** @description The seller's reason for the appeal; null without one. */
            appealReason: string | null;
            /**
             * Format: date-time
             * @description The seller can appeal until then. A dispute without an appeal is lost.
             */
            appealUntil: string;
            /**
             * Format: date-time
             * @description When it was opened.
             */
            createdAt: string;
            /** @description Who opened it: PAYER, or an operator's user. */
            createdBy: string;
            /**
             * Format: uuid
             * @description The id of the dispute.
             */
            id: string;
            /** @description Reason that the payer or the bank gave. */
            reason: string;
            /**
             * Format: date-time
             * @description When it was closed; null while it is open.
             */
            resolvedAt: string | null;
            /** @description Who closed it: an operator's user, or `deadline`. */
            resolvedBy: string | null;
            /**
             * @description Status.
             * @enum {string}
             */
            status: "OPEN" | "UNDER_REVIEW" | "REJECTED" | "RESOLVED";
            /**
             * Format: uuid
             * @description The disputed transaction.
             */
            transactionId: string;
        };
        /** @description One page of disputes. */
        DisputePage: {
            /** @description Number of disputes that match the filters, on all pages. */
            count: number;
            /** @description The disputes of this page. */
            data: components["schemas"]["Dispute"][];
            /** @description Number of disputes that were skipped. */
            skip: number;
            /** @description Page size. */
            take: number;
        };
        DisputePageResponse: {
            data: components["schemas"]["DisputePage"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        DisputeResponse: {
            data: components["schemas"]["Dispute"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description The event of a dispute. */
        DisputeUpdatedEvent: {
            /** @description The dispute. */
            data: {
                /** @description Disputed amount in cents, which is held. */
                amount: number;
                /**
                 * Format: date-time
                 * @description When it was opened.
                 */
                createdAt: string;
                /**
                 * Format: uuid
                 * @description The id of the dispute.
                 */
                id: string;
                /** @description Reason that the payer or the bank gave. */
                reason: string;
                /**
                 * Format: date-time
                 * @description When it was closed; null while it is open.
                 */
                resolvedAt: string | null;
                /**
                 * @description Status.
                 * @enum {string}
                 */
                status: "OPEN" | "UNDER_REVIEW" | "REJECTED" | "RESOLVED";
                /**
                 * Format: uuid
                 * @description The disputed transaction.
                 */
                transactionId: string;
            };
            /**
             * @description The event type.
             * @constant
             */
            event: "DISPUTE_UPDATED";
        };
        /** @description Has no members. */
        Empty: Record<string, never>;
        EmptyResponse: {
            data: components["schemas"]["Empty"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description The body of every error. */
        Error: {
            /**
             * @description For programs; stable. `/docs/errors` lists the cause and remedy of each code.
             * @enum {string}
             */
            code: "missing_credentials" | "malformed_api_key" | "revoked_api_key" | "invalid_access_token" | "invalid_refresh_token" | "invalid_challenge" | "invalid_credentials" | "invalid_metrics_token" | "invalid_notification" | "permission_denied" | "seller_not_active" | "validation_failed" | "invalid_file" | "malformed_json" | "incomplete_body" | "malformed_url" | "malformed_request" | "bad_request" | "idempotency_key_required" | "idempotency_key_invalid" | "route_not_found" | "request_timeout" | "idempotency_key_reused" | "body_too_large" | "unsupported_media_type" | "expectation_failed" | "headers_too_large" | "rate_limited" | "internal_error" | "service_unavailable" | "transaction_not_found" | "dispute_not_found" | "invalid_transition" | "dispute_not_appealable" | "method_unavailable" | "amount_below_fee" | "amount_not_allowed" | "refund_period_ended" | "insufficient_balance" | "event_already_used" | "withdrawal_not_found" | "reversal_not_found" | "withdrawal_already_approved" | "webhook_not_found" | "delivery_not_found" | "webhook_disabled" | "webhook_deleted" | "too_many_webhooks" | "user_not_found" | "session_not_found" | "api_key_not_found" | "too_many_api_keys" | "email_taken" | "last_owner" | "last_admin" | "cannot_delete_self" | "wrong_password" | "wrong_code" | "wrong_password_or_code" | "two_factor_already_active" | "seller_not_found" | "shipment_not_found" | "return_file_not_found" | "file_exchange_not_configured" | "nothing_to_ship";
            /** @description The name of the status. */
            error: string;
            /** @description Only of `validation_failed` and `invalid_file`: what is wrong, field by field. */
            errors?: components["schemas"]["FieldError"][];
            /** @description For people. An array if the response has `errors`, with one entry for each. */
            message: string | string[];
            /** @description Identifies the request in the logs, as `x-request-id` does. */
            requestId: string;
            /** @description The HTTP status code. */
            statusCode: number;
        };
        /** @description An event that webhooks receive. */
        Event: {
            /**
             * Format: date-time
             * @description When the event was written.
             */
            createdAt: string;
            /** @description The name of the event. */
            event: string;
            /**
             * Format: uuid
             * @description The `webhook-id` header of its deliveries.
             */
            id: string;
            /** @description The request body of its deliveries, byte for byte. */
            payload: string;
            /**
             * Format: uuid
             * @description The record that the event is about.
             */
            recordId: string;
        };
        /** @description An event type of webhooks. */
        EventType: {
            /** @description Which webhooks receive it. */
            description: string;
            /** @description The event type of the webhooks that receive it, in addition to ALL: TRANSACTION, WITHDRAWAL or DISPUTE. Null for events sent to a single webhook. */
            eventType: string | null;
            /** @description An example body. */
            example: {
                [key: string]: unknown;
            };
            /** @description The value of `event` in the body. */
            name: string;
            /** @description JSON Schema of the body. */
            schema: {
                [key: string]: unknown;
            };
            /** @description When it is sent, in one sentence. */
            summary: string;
        };
        EventTypeList: {
            /** @description Number of records. */
            count: number;
            /** @description The records. */
            data: components["schemas"]["EventType"][];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description The process and its database. */
        FailedHealth: {
            /** @description `ok`, `unreachable`, `full` (no connection is left for the gateway), `read-only` (a standby that has not been promoted), `slow` or `failing` (writes do not complete, for example on a full disk). */
            database: string;
            /**
             * @description `stopping`: the process still serves requests but shuts down soon. Route new requests elsewhere.
             * @enum {string}
             */
            status: "unavailable" | "stopping";
            /** @description Seconds since the process started. */
            uptimeSeconds: number;
            /** @description Version of the gateway. */
            version: string;
        };
        /** @description A fee. */
        Fee: {
            /**
             * @description How the fee is calculated.
             * @enum {string}
             */
            type: "FIXED" | "PERCENTAGE";
            /** @description Cents, or hundredths of a percent. */
            value: number;
        };
        /** @description A fee schedule. */
        Fees: {
            /** @description Fee of a boleto. */
            boleto: components["schemas"]["Fee"];
            /** @description Fee of a card payment, by number of installments. */
            creditCard: {
                /** @description Cents, or hundredths of a percent. */
                eightInstallments: number;
                /** @description Cents, or hundredths of a percent. */
                elevenInstallments: number;
                /** @description Cents, or hundredths of a percent. */
                fiveInstallments: number;
                /** @description Cents, or hundredths of a percent. */
                fourInstallments: number;
                /** @description Cents, or hundredths of a percent. */
                nineInstallments: number;
                /** @description Cents, or hundredths of a percent. */
                sevenInstallments: number;
                /** @description Cents, or hundredths of a percent. */
                singleInstallment: number;
                /** @description Cents, or hundredths of a percent. */
                sixInstallments: number;
                /** @description Cents, or hundredths of a percent. */
                tenInstallments: number;
                /** @description Cents, or hundredths of a percent. */
                threeInstallments: number;
                /** @description Cents, or hundredths of a percent. */
                twelveInstallments: number;
                /** @description Cents, or hundredths of a percent. */
                twoInstallments: number;
                /**
                 * @description How the fee is calculated.
                 * @enum {string}
                 */
                type: "FIXED" | "PERCENTAGE";
            };
            /** @description Fee of a Pix payment. */
            pixIn: components["schemas"]["Fee"];
            /** @description Fee of a withdrawal. */
            pixOut: components["schemas"]["Fee"];
        };
        /** @description A simulated fee. */
        FeeSimulation: {
            /** @description Cents. */
            amount: number;
            /** @description The fee that applies. */
            fee: {
                /**
                 * @description How the fee is calculated.
                 * @enum {string}
                 */
                type: "FIXED" | "PERCENTAGE";
                /** @description Cents for FIXED, hundredths of a percent for PERCENTAGE. */
                value: number;
            };
            /** @description Cents. */
            feeAmount: number;
            /** @description Cents. */
            netAmount: number;
            /** @description When the net amount would become available if the payer paid now. */
            releases: components["schemas"]["SimulatedRelease"][];
        };
        FeeSimulationResponse: {
            data: components["schemas"]["FeeSimulation"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        FeesResponse: {
            data: components["schemas"]["Fees"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        FieldError: {
            /**
             * @description What is wrong. Listed at `/docs/errors`.
             * @enum {string}
             */
            code: "required" | "invalid_type" | "invalid_option" | "invalid_format" | "invalid_value" | "invalid_combination" | "too_small" | "too_large" | "too_short" | "too_long" | "too_common" | "too_many" | "invalid_line";
            /** @description The violated rule, with the path. */
            message: string;
            /** @description The path of the field: `customer.email`, `items.0.quantity`. */
            path: string;
        };
        /** @description The process and its database. */
        Health: {
            /** @description `ok`, `unreachable`, `full` (no connection is left for the gateway), `read-only` (a standby that has not been promoted), `slow` or `failing` (writes do not complete, for example on a full disk). */
            database: string;
            /**
             * @description Always `ok`.
             * @constant
             */
            status: "ok";
            /** @description Seconds since the process started. */
            uptimeSeconds: number;
            /** @description Version of the gateway. */
            version: string;
        };
        HealthResponse: {
            data: components["schemas"]["Health"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A return file and the outcomes of its lines. */
        ImportedReturnFile: {
            /** @description Three digits. */
            bankCode: string;
            /** @description Size of the file. */
            bytes: number;
            /**
             * Format: date-time
             * @description Null while lines are open. Import the file again to apply them.
             */
            completedAt: string | null;
            /** @description Lines by kind and outcome. */
            counts: components["schemas"]["ReturnLineCount"][];
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /** @description The bank's own number of the file. */
            number: number;
            /** @description Number of lines to review, all of them. */
            problemCount: number;
            /** @description Lines to review, at most 500. */
            problems: components["schemas"]["ReturnLine"][];
            /** @description SHA-256 of the file, in hex. */
            sha256: string;
            /**
             * Format: date-time
             * @description When it was imported.
             */
            takenAt: string;
            /**
             * Format: uuid
             * @description The operator's user; null for the command line.
             */
            takenBy: string | null;
        };
        ImportedReturnFileResponse: {
            data: components["schemas"]["ImportedReturnFile"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A sold item. */
        Item: {
            /** @description Unit price in cents. */
            amount: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description Your reference for the item. */
            externalRef: string | null;
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /** @description Number of units. */
            quantity: number;
            /** @description True for goods, false for services and digital goods. */
            tangible: boolean;
            /** @description What is sold. */
            title: string;
            /**
             * Format: uuid
             * @description The transaction.
             */
            transactionId: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        /** @description What is sold. */
        ItemInput: {
            /** @description Unit price in cents. */
            amount: number;
            /** @description Your reference for the item. */
            externalRef?: string | null;
            /** @description Number of units. */
            quantity: number;
            /** @description True for goods, false for services and digital goods. */
            tangible: boolean;
            /** @description What is sold. */
            title: string;
        };
        /** @description A transaction whose payer cannot be erased yet. */
        KeptPayerData: {
            /**
             * @description Why the payer cannot be erased yet. Repeat the request when it no longer applies.
             * @enum {string}
             */
            reason: "BOLETO_OPEN" | "PROVIDER_PENDING" | "DISPUTED";
            /**
             * Format: uuid
             * @description The seller.
             */
            sellerId: string;
            /** @description Status of the transaction. */
            status: string;
            /**
             * Format: uuid
             * @description The transaction.
             */
            transactionId: string;
        };
        /** @description The outcome of a check of the ledger. */
        LedgerCheck: {
            /** @description Whether there is no discrepancy. */
            balanced: boolean;
            /** @description What does not agree. */
            discrepancies: components["schemas"]["LedgerDiscrepancy"][];
            /** @description Number of ledger entries that were checked. */
            entries: number;
            /** @description Chain entries that were verified. */
            seals: number;
            /** @description Number of wallets that were checked. */
            sellers: number;
        };
        LedgerCheckResponse: {
            data: components["schemas"]["LedgerCheck"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description What does not agree. */
        LedgerDiscrepancy: {
            /** @description What does not agree. */
            kind: string;
            /** @description The discrepancy in words. */
            message: string;
            /**
             * Format: uuid
             * @description The seller.
             */
            sellerId: string;
        };
        ListEventsResponse: {
            /** @description Events, oldest first. */
            data: components["schemas"]["Event"][];
            /** @description Whether more events can be read now. */
            more: boolean;
            /** @description Pass it as `after` to continue. Never null. */
            nextCursor: string;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description The process. */
        Liveness: {
            /**
             * @description Always `ok`.
             * @constant
             */
            status: "ok";
            /** @description Seconds since the process started. */
            uptimeSeconds: number;
            /** @description Version of the gateway. */
            version: string;
        };
        LivenessResponse: {
            data: components["schemas"]["Liveness"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        LoginRequest: {
            /**
             * Format: email
             * @description E-mail address of the user.
             */
            email: string;
            /** @description The password of the user. */
            password: string;
            /**
             * @description `cookie` sets the refresh token as an HttpOnly cookie of the browser instead of returning it.
             * @enum {string}
             */
            session?: "cookie";
        };
        LoginResponse: components["schemas"]["SignIn"] | components["schemas"]["CookieSignIn"] | components["schemas"]["TwoFactorChallenge"];
        LoginWithTwoFactorRequest: {
            /** @description The challenge that `POST /v1/login` returned. */
            challenge: string;
            /** @description The code that the authenticator shows. Each code works once. */
            code?: string;
            /** @description One of the recovery codes, instead of `code`. Each works once. Case and hyphens do not matter. */
            recoveryCode?: string;
            /**
             * @description `cookie` sets the refresh token as an HttpOnly cookie of the browser instead of returning it.
             * @enum {string}
             */
            session?: "cookie";
        };
        LookUpTransactionsRequest: {
            /** @description A complete id; an amount (`15,00`, `R$ 1.500,00`, `15`; digits alone match reais and cents); or a part of a name, e-mail, description or reference. Case and accents are ignored. */
            text: string;
        };
        /** @description Only for TED. */
        MaskedBankAccount: {
            /** @description Masked. */
            account: string;
            /**
             * @description Type of the account.
             * @enum {string}
             */
            accountType: "CHECKING" | "SAVINGS";
            /** @description Three digits. */
            bankCode: string;
            /** @description Branch, with its check digit if the bank has one. */
            branch: string;
        };
        /** @description An API key that was just created. */
        NewApiKey: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description The id of the key.
             */
            id: string;
            /** @description The API key. Shown only once; delete and replace a lost key. */
            key: string;
            /**
             * Format: date-time
             * @description Accurate to one minute.
             */
            lastUsedAt: string | null;
            /** @description Name, to recognize the key by. */
            name: string;
            /** @description The first characters of the key, to recognize it by. */
            prefix: string;
            /**
             * @description Role of the key, which limits what it may do.
             * @enum {string}
             */
            role: "OWNER" | "FINANCE" | "DEVELOPER" | "VIEWER";
        };
        NewApiKeyResponse: {
            data: components["schemas"]["NewApiKey"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description An API key that was just created. */
        NewSellerApiKey: {
            /**
             * Format: uuid
             * @description The id of the key.
             */
            id: string;
            /** @description The API key. Shown only once; delete and replace a lost key. */
            key: string;
            /** @description Name, to recognize the key by. */
            name: string;
            /** @description The first characters of the key, to recognize it by. */
            prefix: string;
            /**
             * @description Role of the key, which limits what it may do.
             * @enum {string}
             */
            role: "OWNER" | "FINANCE" | "DEVELOPER" | "VIEWER";
        };
        NewSellerApiKeyResponse: {
            data: components["schemas"]["NewSellerApiKey"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        OpenDisputeRequest: {
            /** @description In cents; defaults to the remaining amount. */
            amount?: number | null;
            /** @description Reason, as the seller will see it. */
            reason: string;
        };
        /** @description A dispute with its seller. */
        OperatorDispute: {
            /** @description Disputed amount in cents, which is held. */
            amount: number;
            /** @description The seller's reason for the appeal; null without one. */
            appealReason: string | null;
            /**
             * Format: date-time
             * @description The seller can appeal until then. A dispute without an appeal is lost.
             */
            appealUntil: string;
            /**
             * Format: date-time
             * @description When it was opened.
             */
            createdAt: string;
            /** @description Who opened it: PAYER, or an operator's user. */
            createdBy: string;
            /**
             * Format: uuid
             * @description The id of the dispute.
             */
            id: string;
            /** @description Reason that the payer or the bank gave. */
            reason: string;
            /**
             * Format: date-time
             * @description When it was closed; null while it is open.
             */
            resolvedAt: string | null;
            /** @description Who closed it: an operator's user, or `deadline`. */
            resolvedBy: string | null;
            /**
             * Format: uuid
             * @description The seller.
             */
            sellerId: string;
            /** @description Name of the seller. */
            sellerName: string;
            /**
             * @description Status.
             * @enum {string}
             */
            status: "OPEN" | "UNDER_REVIEW" | "REJECTED" | "RESOLVED";
            /**
             * Format: uuid
             * @description The disputed transaction.
             */
            transactionId: string;
        };
        /** @description One page of disputes. */
        OperatorDisputePage: {
            /** @description Number of disputes that match the filters, on all pages. */
            count: number;
            /** @description The disputes of this page. */
            data: components["schemas"]["OperatorDispute"][];
            /** @description Number of disputes that were skipped. */
            skip: number;
            /** @description Page size. */
            take: number;
        };
        OperatorDisputePageResponse: {
            data: components["schemas"]["OperatorDisputePage"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        OperatorDisputeResponse: {
            data: components["schemas"]["OperatorDispute"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A transaction with its seller and its history. */
        OperatorTransaction: {
            /** @description Cents. */
            amount: number;
            boleto: components["schemas"]["Boleto"];
            card: components["schemas"]["Card"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            customer: components["schemas"]["Customer"];
            /** @description The description of the request. */
            description: string | null;
            /** @description Cents. */
            feeAmount: number;
            /** @description All statuses, oldest first. */
            history: components["schemas"]["TransactionHistoryEntry"][];
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /** @description Card payments only. */
            installments: number | null;
            /** @description What is sold. */
            items: components["schemas"]["Item"][];
            /** @description The metadata of the request. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * @description How the payer pays.
             * @enum {string}
             */
            method: "PIX" | "BOLETO" | "CREDIT_CARD";
            /** @description Amount minus the fee, in cents. */
            netAmount: number;
            /**
             * Format: date-time
             * @description When it was paid; null if it has not been paid.
             */
            paidAt: string | null;
            pix: components["schemas"]["Pix"];
            /** @description URL that is notified of updates, in addition to your webhooks. */
            postbackUrl: string | null;
            /** @description Cents returned to the payer so far. */
            refundedAmount: number;
            /** @description Cents that a provider is returning to the payer and has not confirmed yet. */
            refundingAmount: number;
            /**
             * Format: uuid
             * @description The seller.
             */
            sellerId: string;
            /** @description Name of the seller. */
            sellerName: string;
            /**
             * @description Status. PENDING and WAITING_PAYMENT wait for the payer; AUTHORIZED can be captured.
             * @enum {string}
             */
            status: "PENDING" | "WAITING_PAYMENT" | "PROCESSING" | "AUTHORIZED" | "PAID" | "FAILED" | "REFUSED" | "REFUNDED" | "CHARGEDBACK" | "DISPUTE";
            /** @description Why it is FAILED or REFUSED. */
            statusReason: string | null;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        OperatorTransactionResponse: {
            data: components["schemas"]["OperatorTransaction"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A transaction of a list, with its seller. */
        OperatorTransactionSummary: {
            /** @description Cents. */
            amount: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description Cents. */
            feeAmount: number;
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /** @description Card payments only. */
            installments: number | null;
            /** @description How the payer pays. */
            method: string;
            /** @description Amount minus the fee, in cents. */
            netAmount: number;
            /**
             * Format: date-time
             * @description When it was paid; null if it has not been paid.
             */
            paidAt: string | null;
            /**
             * Format: uuid
             * @description The seller.
             */
            sellerId: string;
            /** @description Name of the seller. */
            sellerName: string;
            /** @description Status. */
            status: string;
        };
        OperatorTransactionSummaryPage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["OperatorTransactionSummary"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A user of the operator. */
        OperatorUser: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description E-mail address, used to sign in. */
            email: string;
            /**
             * Format: uuid
             * @description The id of the user.
             */
            id: string;
            /** @description Full name. */
            name: string;
            /**
             * @description ADMIN: everything. SUPPORT: read only.
             * @enum {string}
             */
            role: "ADMIN" | "SUPPORT";
        };
        OperatorUserPage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["OperatorUser"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        OperatorUserResponse: {
            data: components["schemas"]["OperatorUser"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A webhook with its seller. */
        OperatorWebhook: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was disabled; null while it is ACTIVE.
             */
            disabledAt: string | null;
            /** @description Why it was disabled; null while it is ACTIVE. */
            disabledReason: string | null;
            /** @description Events that it receives. */
            eventType: string;
            /**
             * Format: date-time
             * @description Since when every attempt has failed. Null if the last one was delivered.
             */
            failingSince: string | null;
            /**
             * Format: uuid
             * @description The id of the webhook.
             */
            id: string;
            /**
             * Format: uuid
             * @description The seller.
             */
            sellerId: string;
            /** @description Name of the seller. */
            sellerName: string;
            /**
             * @description Events are held while it is DISABLED.
             * @enum {string}
             */
            status: "ACTIVE" | "DISABLED";
            /** @description Without its query, which may contain credentials of the seller. */
            url: string;
        };
        OperatorWebhookPage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["OperatorWebhook"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A withdrawal with its seller and its approvals. */
        OperatorWithdrawal: {
            /** @description In cents, deducted from the balance. */
            amount: number;
            /** @description Approvals so far, oldest first. */
            approvals: components["schemas"]["WithdrawalApproval"][];
            /** @description By the current settings; once approved, by those at approval (0: automatic). */
            approvalsNeeded: number;
            /**
             * Format: date-time
             * @description When it was approved; null until then.
             */
            approvedAt: string | null;
            /** @description The operator's user; null for an automatic approval. */
            approvedBy: string | null;
            bankAccount?: components["schemas"]["MaskedBankAccount"];
            /** @description Masked. */
            beneficiaryDocumentNumber: string | null;
            /** @description CPF or CNPJ; null if unknown. */
            beneficiaryDocumentType: string | null;
            /** @description Name of the payee. */
            beneficiaryName: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description TRC20, ERC20, POLYGON or BTC; null for PIX. */
            cryptoNetwork: string | null;
            /** @description Masked; null for PIX. */
            cryptoWalletAddress: string | null;
            /** @description The description of the request. */
            description: string | null;
            /** @description Reference of the withdrawal; null if it has none. */
            externalRef: string | null;
            /** @description In cents. */
            feeAmount: number;
            /**
             * Format: uuid
             * @description The id of the withdrawal.
             */
            id: string;
            /** @description The metadata of the request. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * @description How the withdrawal is paid.
             * @enum {string}
             */
            method: "PIX" | "CRYPTO" | "TED";
            /** @description In cents, paid to the payee: the amount less the fee. */
            netAmount: number;
            /**
             * Format: date-time
             * @description When it was paid; null until then.
             */
            paidAt: string | null;
            /** @description Masked; null for CRYPTO. */
            pixKey: string | null;
            /** @description CPF, CNPJ, PHONE, EMAIL or EVP; null for CRYPTO. */
            pixKeyType: string | null;
            /**
             * Format: date-time
             * @description When it was assigned to a provider.
             */
            processedAt: string | null;
            /** @description Set if the status is REJECTED or FAILED. */
            rejectionReason: string | null;
            /**
             * Format: uuid
             * @description The seller.
             */
            sellerId: string;
            /** @description Name of the seller. */
            sellerName: string;
            /**
             * @description Status.
             * @enum {string}
             */
            status: "PENDING" | "APPROVED" | "REJECTED" | "PROCESSING" | "PAID" | "FAILED";
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description Type of the withdrawal. */
            withdrawalType: string;
            /**
             * @description Origin of the balance that pays.
             * @enum {string}
             */
            withdrawFrom: "PIX" | "BOLETO" | "CARD";
        };
        OperatorWithdrawalPage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["OperatorWithdrawal"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        OperatorWithdrawalResponse: {
            data: components["schemas"]["OperatorWithdrawal"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description What is stored about a payer with a transaction. */
        PayerData: {
            /** @description The stored rows by record type. */
            held: {
                [key: string]: unknown;
            };
            /**
             * Format: uuid
             * @description The seller.
             */
            sellerId: string;
            /**
             * Format: uuid
             * @description The transaction.
             */
            transactionId: string;
        };
        /** @description Identifies a payer by document or e-mail. */
        PayerQuery: {
            /** @description The value of `next` in the previous response. */
            after?: string;
            /** @description CPF or CNPJ, with or without its punctuation. */
            document?: string;
            /**
             * Format: email
             * @description E-mail address of the payer.
             */
            email?: string;
        };
        /** @description What was erased. */
        PersonalDataErasure: {
            /** @description Transactions whose payer has been erased. */
            erased: number;
            /** @description Transactions whose payer cannot be erased yet. */
            kept: components["schemas"]["KeptPayerData"][];
            /** @description Pass it as `after` to continue. Null when all transactions have been searched. */
            next: string | null;
        };
        PersonalDataErasureResponse: {
            data: components["schemas"]["PersonalDataErasure"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description Personal data of a payer. */
        PersonalDataExport: {
            /** @description Transactions of the payer. */
            charges: components["schemas"]["PayerData"][];
            /** @description Pass it as `after` to continue. Null when all transactions have been searched. */
            next: string | null;
        };
        PersonalDataExportResponse: {
            data: components["schemas"]["PersonalDataExport"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description The event of a test. */
        PingEvent: {
            /** @description The test. */
            data: {
                /**
                 * Format: uuid
                 * @description The id of the webhook.
                 */
                id: string;
                /**
                 * Format: date-time
                 * @description When the test was requested.
                 */
                sentAt: string;
            };
            /**
             * @description The event type.
             * @constant
             */
            event: "PING";
        };
        /** @description Pix transactions only. */
        Pix: {
            /** @description The same code as qrcode. */
            copyPaste: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Until when it can be paid.
             */
            expirationDate: string;
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /** @description The BR Code to copy and paste. */
            qrcode: string;
            /** @description URL of its image. */
            qrcodeUrl: string;
            /**
             * Format: uuid
             * @description The transaction.
             */
            transactionId: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        } | null;
        /** @description The secret of postbacks. */
        PostbackSecret: {
            /** @description Signs the deliveries to every postbackUrl. */
            secret: string;
        };
        PostbackSecretResponse: {
            data: components["schemas"]["PostbackSecret"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description An external provider and its health. */
        Provider: {
            /** @description Number of calls that the figures are computed from: the last ones, at most 200. */
            calls: number;
            /** @description Failed calls divided by calls. */
            errorRate: number;
            /** @description Error code or name. */
            lastFailure: string | null;
            /**
             * Format: date-time
             * @description When a call last failed; null if none has.
             */
            lastFailureAt: string | null;
            /**
             * Format: date-time
             * @description When a call last succeeded; null if none has.
             */
            lastSuccessAt: string | null;
            /** @description Milliseconds. */
            latencyP50: number | null;
            /** @description Milliseconds. */
            latencyP95: number | null;
            /** @description Payment methods that it processes. */
            methods: string[];
            /** @description Name in the settings. */
            name: string;
            /**
             * @description CLOSED: the provider is called. OPEN: it failed five times in a row and is not called for a while. HALF_OPEN: the next call decides.
             * @enum {string}
             */
            state: "CLOSED" | "OPEN" | "HALF_OPEN";
        };
        /** @description An event that a provider reported. */
        ProviderEvent: {
            /** @description Cents; null if the event reports no money. */
            amount: number | null;
            /** @description Why the event was not applied. */
            detail: string | null;
            /**
             * Format: uuid
             * @description The id of the event.
             */
            id: string;
            /** @description What the event reports: PAYMENT, FAILURE, CHARGEBACK … */
            kind: string;
            /**
             * Format: date-time
             * @description When it happened, according to the provider.
             */
            occurredAt: string;
            /**
             * @description What the event changed. The payment of a LATE, DUPLICATE or WRONG_AMOUNT event is returned to the payer. An UNMATCHED event refers to no known record or contradicts the provider. A PENDING event changes nothing until the provider confirms it.
             * @enum {string}
             */
            outcome: "APPLIED" | "LATE" | "DUPLICATE" | "WRONG_AMOUNT" | "REJECTED" | "UNMATCHED" | "PENDING";
            /** @description The provider that reported it. */
            provider: string;
            /**
             * Format: date-time
             * @description When the gateway received it.
             */
            receivedAt: string;
            /** @description The transaction or withdrawal; for an UNMATCHED or PENDING event, as it was claimed. */
            recordId: string;
            /** @description The provider's id of the event. Each id is applied once. */
            reportId: string;
            /** @description For an UNMATCHED event, as it was claimed; empty for a PENDING event. */
            sellerId: string;
        };
        ProviderEventPage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["ProviderEvent"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        ProviderList: {
            /** @description All external providers. */
            data: components["schemas"]["Provider"][];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description What a provider settled on a day, and what the ledger contains. */
        ReconciliationDay: {
            /** @description Every line has its movement, to the cent and at most a day apart, and every movement its line. */
            balanced: boolean;
            /** @description The day. */
            day: string;
            /** @description Lines and movements that have no counterpart or differ from it. */
            differences: number;
            /** @description What the files report. */
            file: {
                /** @description What the provider charges the operator. Cents. */
                fees: number;
                /** @description Payments. Cents. */
                in: number;
                /** @description In less out less fees. Cents. */
                net: number;
                /** @description Refunds, chargebacks and withdrawals. Cents. */
                out: number;
            };
            /** @description Files imported for this day. */
            files: number;
            /** @description What the ledger contains. */
            ledger: {
                /** @description Payments, with the fees of the gateway. Cents. */
                in: number;
                /** @description Number of movements. */
                movements: number;
                /** @description Refunds, chargebacks and withdrawals. Cents. */
                out: number;
            };
            /** @description Lines dated on this day, from whichever file. */
            lines: number;
            /** @description Lines that have their movement in the ledger. */
            matched: number;
            /** @description Matched lines that the ledger has a day before or after; they explain sums that differ. */
            neighbourDays: number;
            /** @description The provider. */
            provider: string;
            /**
             * @description NO_FILE: nothing was imported for the day.
             * @enum {string}
             */
            status: "BALANCED" | "DIFFERENT" | "NO_FILE";
        };
        ReconciliationDayList: {
            /** @description One item for each day and provider. */
            data: components["schemas"]["ReconciliationDay"][];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A line and a movement that differ, or one without the other. */
        ReconciliationDifference: {
            /** @description The line's day; the ledger's for MISSING_IN_FILE. */
            day: string;
            /** @description The line that has the same id, for a duplicate. */
            duplicateOf: {
                /**
                 * Format: uuid
                 * @description The file of the first line.
                 */
                fileId: string;
                /** @description Line number of the first line. */
                line: number;
            } | null;
            /** @description The line of the file; null for MISSING_IN_FILE. */
            file: {
                /** @description Cents. */
                amount: number;
                /** @description The day of the line. */
                day: string;
                /** @description The provider's fee, in cents. */
                fee: number;
                /**
                 * Format: uuid
                 * @description The file.
                 */
                fileId: string;
                /** @description The provider's id of the line. */
                id: string;
                /** @description Line number in the file. */
                line: number;
                /** @description Reference in the line; null if it has none. */
                reference: string | null;
            } | null;
            /**
             * @description What differs.
             * @enum {string}
             */
            kind: "MISSING_IN_LEDGER" | "MISSING_IN_FILE" | "AMOUNT_DIFFERS" | "DAY_DIFFERS" | "DUPLICATE_LINE";
            /** @description The movement of the ledger; null for MISSING_IN_LEDGER. */
            ledger: {
                /** @description Cents. */
                amount: number;
                /**
                 * Format: date-time
                 * @description When it was booked.
                 */
                at: string;
                /** @description What caused the movement. */
                cause: string;
                /** @description The day of the movement. */
                day: string;
                /** @description The provider's id of the movement; null if unknown. */
                providerId: string | null;
                /**
                 * Format: uuid
                 * @description The transaction or withdrawal.
                 */
                recordId: string;
                /**
                 * Format: uuid
                 * @description The refund, or else the record.
                 */
                reference: string;
                /**
                 * Format: uuid
                 * @description The seller.
                 */
                sellerId: string;
            } | null;
            /** @description The provider. */
            provider: string;
            /** @description For MISSING_IN_LEDGER: the provider had reported it, and it was not booked. LATE is money that goes back to its payer. */
            report: {
                /** @description What the event changed. */
                outcome: string;
                /** @description The transaction or withdrawal, as the provider reported it. */
                recordId: string;
                /** @description The seller, as the provider reported it. */
                sellerId: string;
            } | null;
            /** @description A day apart: it is shown, and the day is balanced all the same. */
            tolerated: boolean;
            /** @description Type of the line or movement. */
            type: string;
        };
        ReconciliationDifferencePage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["ReconciliationDifference"][];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description Recovery codes of the second factor. */
        RecoveryCodes: {
            /** @description Codes that replace one of the authenticator, each of them once. Shown once. */
            recoveryCodes: string[];
        };
        RecoveryCodesResponse: {
            data: components["schemas"]["RecoveryCodes"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        RefreshTokenRequest: {
            /** @description The refresh token. By default, the one in the cookie. */
            refreshToken?: string;
        };
        RefreshTokenResponse: {
            /** @description Absent if the refresh token was set as a cookie. */
            refreshToken?: string;
            /** @description The access token. */
            token: string;
        };
        /** @description A refund of a transaction. */
        Refund: {
            /** @description Cents. */
            amount: number;
            /**
             * Format: date-time
             * @description When the refund was requested.
             */
            createdAt: string;
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /** @description Reason that was given for the refund. */
            reason: string | null;
            /**
             * @description PENDING until the provider reports the outcome.
             * @enum {string}
             */
            status: "PENDING" | "DONE" | "FAILED";
        };
        RefundTransactionRequest: {
            /** @description In cents; defaults to the remaining amount. */
            amount?: number | null;
            /** @description Why the payment is refunded. */
            reason?: string | null;
        };
        RejectWithdrawalRequest: {
            /** @description Reason, as the seller will see it. */
            reason: string;
        };
        /** @description Upcoming releases and the blocked balance. */
        Releases: {
            /** @description The parts of the blocked balance. */
            blocked: {
                /** @description Cents that disputes hold. */
                disputes: number;
                /** @description Cents of refunds that the provider has not confirmed yet. */
                refunds: number;
                /** @description Cents of payments that are not released yet. */
                retention: number;
                /** @description Cents of the blocked balance: the sum of these. */
                total: number;
                /** @description Cents of pending withdrawals. */
                withdrawals: number;
            };
            /** @description Cents that are released after those days. */
            laterAmount: number;
            /** @description Of today and the next 90 days, in order. */
            upcoming: components["schemas"]["UpcomingRelease"][];
        };
        ReleasesResponse: {
            data: components["schemas"]["Releases"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description What was sent. */
        Replay: {
            /** @description The number of deliveries that are sent, or with `dryRun` would be. */
            deliveries: number;
            /** @description Whether there are more than the 2000 that one call sends, or the 10000 that `dryRun` counts. Repeating the call sends the next ones. */
            more: boolean;
        };
        ReplayResponse: {
            data: components["schemas"]["Replay"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        ReplayWebhookRequest: {
            /** @description Only counts the deliveries. */
            dryRun?: boolean;
            /** @description ISO 8601. A date (`2026-03-01`) starts at midnight in São Paulo; a full timestamp is used as is. */
            since: string;
        };
        /** @description What was sent again. */
        Resend: {
            /** @description The number of deliveries created. */
            resent: number;
        };
        /** @description What was sent again. */
        ResendFailed: {
            /** @description Whether there are more than the 2000 that one call sends, or the 10000 that `dryRun` counts. Repeating the call sends the next ones. */
            more: boolean;
            /** @description The number of deliveries created. */
            resent: number;
        };
        ResendFailedDeliveriesRequest: {
            /** @description Only counts the deliveries. */
            dryRun?: boolean;
            /** @description ISO 8601. A date (`2026-03-01`) starts at midnight in São Paulo; a full timestamp is used as is. */
            since: string;
            /**
             * Format: uuid
             * @description Only deliveries to this webhook.
             */
            webhookId?: string;
        };
        ResendFailedResponse: {
            data: components["schemas"]["ResendFailed"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        ResendResponse: {
            data: components["schemas"]["Resend"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        ResendTransactionEventsRequest: {
            /** @description Ids of up to 100 transactions. */
            transactionIds: string[];
        };
        ResendWithdrawalEventsRequest: {
            /** @description Ids of up to 100 withdrawals. */
            withdrawalIds: string[];
        };
        /** @description The delivery that was sent again. */
        ResentDelivery: {
            /**
             * Format: uuid
             * @description The new delivery.
             */
            deliveryId: string;
            /** @description The number of deliveries created: 1. */
            resent: number;
        };
        ResentDeliveryResponse: {
            data: components["schemas"]["ResentDelivery"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        ResolveDisputeRequest: {
            /**
             * @description RESOLVED: in the seller's favor. REJECTED: in the payer's favor.
             * @enum {string}
             */
            outcome: "RESOLVED" | "REJECTED";
        };
        /** @description A return file of the bank. */
        ReturnFile: {
            /** @description Three digits. */
            bankCode: string;
            /** @description Size of the file. */
            bytes: number;
            /**
             * Format: date-time
             * @description Null while lines are open. Import the file again to apply them.
             */
            completedAt: string | null;
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /** @description The bank's own number of the file. */
            number: number;
            /** @description SHA-256 of the file, in hex. */
            sha256: string;
            /**
             * Format: date-time
             * @description When it was imported.
             */
            takenAt: string;
            /**
             * Format: uuid
             * @description The operator's user; null for the command line.
             */
            takenBy: string | null;
        };
        /** @description The outcome of an import. */
        ReturnFileImport: {
            /** @description Three digits. */
            bankCode: string;
            /** @description Size of the file. */
            bytes: number;
            /**
             * Format: date-time
             * @description Null while lines are open. Import the file again to apply them.
             */
            completedAt: string | null;
            /** @description Lines by kind and outcome. */
            counts: components["schemas"]["ReturnLineCount"][];
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /** @description The bank's own number of the file. */
            number: number;
            /** @description Number of lines to review, all of them. */
            problemCount: number;
            /** @description Lines to review, at most 500. */
            problems: components["schemas"]["ReturnLine"][];
            /** @description Whether the same bytes were imported before. */
            repeated: boolean;
            /** @description SHA-256 of the file, in hex. */
            sha256: string;
            /**
             * Format: date-time
             * @description When it was imported.
             */
            takenAt: string;
            /**
             * Format: uuid
             * @description The operator's user; null for the command line.
             */
            takenBy: string | null;
        };
        ReturnFileImportResponse: {
            data: components["schemas"]["ReturnFileImport"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        ReturnFilePage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["ReturnFile"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A line of a return file. */
        ReturnLine: {
            /** @description Amount paid, in cents. */
            amount: number;
            /** @description The bank's own reference of a payment. */
            bankReference: string | null;
            /** @description The bank's movement or occurrence codes. */
            code: string;
            /** @description Date in São Paulo, YYYY-MM-DD. */
            creditedOn: string | null;
            /**
             * @description What the line reports.
             * @enum {string}
             */
            kind: "REGISTERED" | "REJECTED" | "PAID" | "WRITTEN_OFF" | "ORDER_REJECTED" | "TARIFF" | "NOTE" | "PAYOUT_PAID" | "PAYOUT_FAILED" | "PAYOUT_WAITING" | "PAYOUT_UNCLEAR" | "UNREADABLE";
            /** @description Line number in the file, counted from 1. */
            line: number;
            /** @description Date in São Paulo, YYYY-MM-DD. */
            occurredOn: string | null;
            /**
             * @description NOTED lines are stored without effect. REPEATED lines were reported before. LATE payments go back to the payer. REJECTED lines do not fit their record or cannot be parsed. UNMATCHED lines fit no record. Null: not applied yet.
             * @enum {string|null}
             */
            outcome: "APPLIED" | "NOTED" | "REPEATED" | "LATE" | "REJECTED" | "UNMATCHED" | null;
            /** @description The bank's reason, or why the line changed nothing. */
            reason: string | null;
            /** @description Number of the boleto or reference of the payment, as the line carries it. */
            record: string;
            /**
             * Format: uuid
             * @description The transaction or withdrawal.
             */
            recordId: string | null;
            /**
             * Format: uuid
             * @description The seller; null if the line fits no record.
             */
            sellerId: string | null;
            /** @description The bank's fee, in cents. */
            tariff: number;
        };
        /** @description Lines of one kind and outcome. */
        ReturnLineCount: {
            /** @description Cents. */
            amount: number;
            /**
             * @description What the lines report.
             * @enum {string}
             */
            kind: "REGISTERED" | "REJECTED" | "PAID" | "WRITTEN_OFF" | "ORDER_REJECTED" | "TARIFF" | "NOTE" | "PAYOUT_PAID" | "PAYOUT_FAILED" | "PAYOUT_WAITING" | "PAYOUT_UNCLEAR" | "UNREADABLE";
            /** @description Number of lines. */
            lines: number;
            /**
             * @description NOTED lines are stored without effect. REPEATED lines were reported before. LATE payments go back to the payer. REJECTED lines do not fit their record or cannot be parsed. UNMATCHED lines fit no record. Null: not applied yet.
             * @enum {string|null}
             */
            outcome: "APPLIED" | "NOTED" | "REPEATED" | "LATE" | "REJECTED" | "UNMATCHED" | null;
            /** @description Cents. */
            tariff: number;
        };
        ReturnLinePage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["ReturnLine"][];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A payment that is sent back to the payer. */
        Reversal: {
            /** @description The whole payment, in cents. */
            amount: number;
            /** @description Number of calls to the provider. */
            attempts: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description Why manual action is required. */
            detail: string | null;
            /**
             * Format: uuid
             * @description The id of the reversal.
             */
            id: string;
            /**
             * @description The payment method of the transaction.
             * @enum {string}
             */
            method: "PIX" | "BOLETO" | "CREDIT_CARD";
            /** @description How the operator settled it. */
            note: string | null;
            /** @description The provider that reported the payment. */
            provider: string;
            /** @description The provider's id of the reversal. */
            providerReference: string | null;
            /**
             * @description Why the payment is sent back.
             * @enum {string}
             */
            reason: "LATE" | "DUPLICATE" | "WRONG_AMOUNT";
            /** @description The provider's id of the payment. */
            reportId: string;
            /**
             * Format: uuid
             * @description The seller.
             */
            sellerId: string;
            /**
             * Format: date-time
             * @description When the provider confirmed it; null until then.
             */
            sentAt: string | null;
            /**
             * Format: uuid
             * @description The operator's user who settled it.
             */
            settledBy: string | null;
            /**
             * @description MANUAL requires manual action.
             * @enum {string}
             */
            status: "PENDING" | "SENT" | "MANUAL";
            /**
             * Format: uuid
             * @description The transaction that the payment was for.
             */
            transactionId: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        ReversalPage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["Reversal"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        ReversalResponse: {
            data: components["schemas"]["Reversal"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        SandboxPayTransactionRequest: {
            /** @description Amount paid, in cents. Defaults to the transaction's amount. */
            amount?: number;
            /** @description The provider's id of the payment. The same id is the same payment. Defaults to a new id. */
            reportId?: string;
        };
        /** @description A seller. */
        Seller: {
            /** @description Cents. Withdrawals up to this amount are approved automatically. */
            autoApproveUpTo: number;
            /** @description Bank business days until a paid boleto is available. */
            boletoDelayDays: number;
            /** @description Days until a card payment is available, for each installment. */
            cardDelayDays: number;
            /** @description Cents. Debited from the seller for each chargeback. */
            chargebackFee: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description Transactions that the seller may create per minute. */
            creationsPerMinute: number;
            /** @description Masked. */
            document: string;
            /** @description CPF or CNPJ. */
            documentType: string;
            /**
             * Format: uuid
             * @description The id of the seller.
             */
            id: string;
            /** @description Name of the seller. */
            name: string;
            /** @description Cents. Refunds may take the available balance this far below zero. */
            negativeBalanceUpTo: number;
            /** @description Requests that the seller may send per minute. */
            requestsPerMinute: number;
            /**
             * @description Status of the seller. Only an ACTIVE seller can use the API.
             * @enum {string}
             */
            status: "PENDING" | "ACTIVE" | "SUSPENDED" | "CLOSED";
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        SellerPage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["Seller"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        SellerResponse: {
            data: components["schemas"]["Seller"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A user of a seller. */
        SellerUser: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description E-mail address, used to sign in. */
            email: string;
            /**
             * Format: uuid
             * @description The id of the user.
             */
            id: string;
            /** @description Full name. */
            name: string;
            /**
             * @description Role of the user.
             * @enum {string}
             */
            role: "OWNER" | "FINANCE" | "DEVELOPER" | "VIEWER";
            /**
             * Format: uuid
             * @description The seller.
             */
            sellerId: string;
        };
        SellerUserPage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["SellerUser"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        SellerUserResponse: {
            data: components["schemas"]["SellerUser"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A session of a user. */
        Session: {
            /** @description Masked. The IP address of the last exchange. */
            address: string | null;
            /** @description As the client identifies itself. */
            browser: string | null;
            /**
             * Format: date-time
             * @description When the user signed in.
             */
            createdAt: string;
            /** @description Whether this session sent the request. */
            current: boolean;
            /**
             * Format: uuid
             * @description The id of the session.
             */
            id: string;
            /**
             * Format: date-time
             * @description When tokens were last exchanged. Accurate to about one hour.
             */
            lastUsedAt: string;
        };
        SessionList: {
            /** @description Number of records. */
            count: number;
            /** @description The records. */
            data: components["schemas"]["Session"][];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description Settings of the operator for all sellers. */
        Settings: {
            /** @description Cents. Withdrawals above this amount need two different ADMINs. Null: one ADMIN always suffices. */
            twoPersonApprovalAbove: number | null;
        };
        SettingsResponse: {
            data: components["schemas"]["Settings"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description An imported settlement file. */
        SettlementFile: {
            /** @description Size of the file. */
            bytes: number;
            /** @description The day that the file is for. */
            day: string;
            /** @description Lines whose id was imported before. They do not count. */
            duplicates: number;
            /** @description What the provider charges. Cents. */
            fees: number;
            /**
             * Format: uuid
             * @description The id of the file.
             */
            id: string;
            /**
             * Format: date-time
             * @description When it was imported.
             */
            importedAt: string;
            /**
             * Format: uuid
             * @description The operator's user who imported it.
             */
            importedBy: string;
            /** @description Payments. Cents. */
            in: number;
            /** @description Movements in the file, without the header. */
            lines: number;
            /** @description Refunds, chargebacks and withdrawals. Cents. */
            out: number;
            /** @description The provider. */
            provider: string;
            /** @description Of the bytes of the file, in hex. */
            sha256: string;
        };
        /** @description The outcome of an import. */
        SettlementFileImport: {
            /** @description Size of the file. */
            bytes: number;
            /** @description The day that the file is for. */
            day: string;
            /** @description Lines whose id was imported before. They do not count. */
            duplicates: number;
            /** @description What the provider charges. Cents. */
            fees: number;
            /**
             * Format: uuid
             * @description The id of the file.
             */
            id: string;
            /**
             * Format: date-time
             * @description When it was imported.
             */
            importedAt: string;
            /**
             * Format: uuid
             * @description The operator's user who imported it.
             */
            importedBy: string;
            /** @description Payments. Cents. */
            in: number;
            /** @description Movements in the file, without the header. */
            lines: number;
            /** @description Refunds, chargebacks and withdrawals. Cents. */
            out: number;
            /** @description The provider. */
            provider: string;
            /** @description The same bytes were imported before: this is that import, and nothing has changed. */
            repeated: boolean;
            /** @description Of the bytes of the file, in hex. */
            sha256: string;
        };
        SettlementFileImportResponse: {
            data: components["schemas"]["SettlementFileImport"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        SettlementFilePage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["SettlementFile"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        SettleReversalRequest: {
            /** @description How it was settled, for the audit log. */
            note: string;
        };
        SetUpTwoFactorRequest: {
            /** @description The password of the user. */
            password: string;
        };
        /** @description A shipment file for the bank. */
        Shipment: {
            /** @description Total of the registered boletos or the payments, in cents. */
            amount: number;
            /** @description Three digits. */
            bankCode: string;
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            madeAt: string;
            /**
             * Format: uuid
             * @description The operator's user; null for the command line.
             */
            madeBy: string | null;
            /** @description Number in the sequence of boletos or payments, without gaps. */
            number: number;
            /** @description Number of payments. */
            payments: number;
            /** @description Boletos to register. */
            registrations: number;
            /**
             * @description What the file contains.
             * @enum {string}
             */
            service: "BOLETOS" | "TRANSFERS" | "PIX";
            /** @description SHA-256 of the file, in hex. */
            sha256: string;
            /** @description Boletos to write off. */
            writeOffs: number;
        };
        ShipmentPage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["Shipment"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        ShipmentResponse: {
            data: components["schemas"]["Shipment"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description The user who signed in. */
        SignedInUser: {
            /** @description E-mail address. */
            email: string;
            /**
             * Format: uuid
             * @description The id of the user.
             */
            id: string;
            /** @description Full name. */
            name: string;
            /** @description Role of the user. */
            role: string;
        };
        /** @description Tokens of a new session. */
        SignIn: {
            /** @description JWT, valid for one hour. */
            accessToken: string;
            /** @description UUID, valid for seven days, for one use. */
            refreshToken: string;
            user: components["schemas"]["SignedInUser"];
        };
        /** @description A part of the net amount. */
        SimulatedRelease: {
            /** @description Cents of the net amount. */
            amount: number;
            /**
             * Format: date-time
             * @description When it becomes available.
             */
            at: string;
            /** @description Number of the installment, from 1. */
            number: number;
        };
        /** @description Sums of an hour, day or month. */
        SummaryBucket: {
            /** @description Cents of chargebacks and lost disputes. */
            chargedBackAmount: number;
            /** @description The number of payments. */
            count: number;
            /** @description Cents of fees on those payments. */
            feeAmount: number;
            /** @description Cents of volume minus fees. */
            netAmount: number;
            /** @description Cents refunded to payers, minus refunds that were returned. */
            refundedAmount: number;
            /**
             * Format: date-time
             * @description The start of the bucket.
             */
            start: string;
            /** @description Cents that payers paid. */
            volume: number;
        };
        /** @description Sums of a period. */
        SummaryPeriod: {
            /** @description All buckets of the period, in order. */
            buckets: components["schemas"]["SummaryBucket"][];
            /**
             * Format: date
             * @description The last day.
             */
            endDate: string;
            /**
             * Format: date
             * @description The first day.
             */
            startDate: string;
            /** @description Paid transactions by method. */
            success: {
                /** @description Boletos. */
                BOLETO: {
                    /** @description Transactions created in the period that have a final status or were paid. */
                    ended: number;
                    /** @description Those of them that were paid, including refunded ones. */
                    paid: number;
                    /** @description `paid` divided by `ended`, from 0 to 1. Null if `ended` is 0. */
                    rate: number | null;
                };
                /** @description Cards. */
                CREDIT_CARD: {
                    /** @description Transactions created in the period that have a final status or were paid. */
                    ended: number;
                    /** @description Those of them that were paid, including refunded ones. */
                    paid: number;
                    /** @description `paid` divided by `ended`, from 0 to 1. Null if `ended` is 0. */
                    rate: number | null;
                };
                /** @description Pix. */
                PIX: {
                    /** @description Transactions created in the period that have a final status or were paid. */
                    ended: number;
                    /** @description Those of them that were paid, including refunded ones. */
                    paid: number;
                    /** @description `paid` divided by `ended`, from 0 to 1. Null if `ended` is 0. */
                    rate: number | null;
                };
            };
            /** @description Sums of the period. */
            total: {
                /** @description Cents of chargebacks and lost disputes. */
                chargedBackAmount: number;
                /** @description The number of payments. */
                count: number;
                /** @description Cents of fees on those payments. */
                feeAmount: number;
                /** @description Cents of volume minus fees. */
                netAmount: number;
                /** @description Cents refunded to payers, minus refunds that were returned. */
                refundedAmount: number;
                /** @description Cents that payers paid. */
                volume: number;
            };
        };
        /** @description A summary report of two periods. */
        SummaryReport: {
            current: components["schemas"]["SummaryPeriod"];
            /**
             * @description Length of a bucket.
             * @enum {string}
             */
            interval: "hour" | "day" | "month";
            previous: components["schemas"]["SummaryPeriod"];
        };
        SummaryReportResponse: {
            data: components["schemas"]["SummaryReport"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description The state of the installation. */
        System: {
            /** @description The database. */
            database: {
                /** @description Size on disk. */
                bytes: number;
            };
            /** @description The webhook queue. */
            deliveries: {
                /** @description Webhook deliveries that are due now. */
                due: number;
                /**
                 * Format: date-time
                 * @description When the oldest due delivery became due.
                 */
                oldestDueAt: string | null;
                /** @description Webhook deliveries that wait for their next attempt. */
                waiting: number;
            };
            /**
             * @description `sandbox` or `production`.
             * @enum {string}
             */
            mode: "sandbox" | "production";
            /**
             * Format: date-time
             * @description Of the process that responds.
             */
            startedAt: string;
            /** @description Seconds since the process started. */
            uptimeSeconds: number;
            /** @description Version of the gateway. */
            version: string;
            /** @description Disabled endpoints of all sellers. */
            webhooksDisabled: number;
            /** @description Worker processes of the last day. */
            workers: components["schemas"]["Worker"][];
        };
        SystemResponse: {
            data: components["schemas"]["System"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description The test event. */
        TestDelivery: {
            /**
             * Format: uuid
             * @description The delivery of the test event.
             */
            deliveryId: string;
        };
        TestDeliveryResponse: {
            data: components["schemas"]["TestDelivery"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description The result of a 3-D Secure authentication. */
        ThreeDSecureInput: {
            /** @description Authentication value of the issuer. */
            cavv?: string | null;
            /** @description Electronic commerce indicator. */
            eci?: string | null;
            /** @description Id of the authentication at the 3-D Secure server. */
            referenceId?: string | null;
            /** @description Version of 3-D Secure. */
            version?: string | null;
            /** @description Id of the authentication transaction (3-D Secure 1). */
            xid?: string | null;
        } | null;
        /** @description A payment by a payer. */
        Transaction: {
            /** @description Cents. */
            amount: number;
            boleto: components["schemas"]["Boleto"];
            card: components["schemas"]["Card"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            customer: components["schemas"]["Customer"];
            /** @description The description of the request. */
            description: string | null;
            /** @description Cents. */
            feeAmount: number;
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /** @description Card payments only. */
            installments: number | null;
            /** @description What is sold. */
            items: components["schemas"]["Item"][];
            /** @description The metadata of the request. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * @description How the payer pays.
             * @enum {string}
             */
            method: "PIX" | "BOLETO" | "CREDIT_CARD";
            /** @description Amount minus the fee, in cents. */
            netAmount: number;
            /**
             * Format: date-time
             * @description When it was paid; null if it has not been paid.
             */
            paidAt: string | null;
            pix: components["schemas"]["Pix"];
            /** @description URL that is notified of updates, in addition to your webhooks. */
            postbackUrl: string | null;
            /** @description Cents returned to the payer so far. */
            refundedAmount: number;
            /** @description Cents that a provider is returning to the payer and has not confirmed yet. */
            refundingAmount: number;
            /**
             * @description Status. PENDING and WAITING_PAYMENT wait for the payer; AUTHORIZED can be captured.
             * @enum {string}
             */
            status: "PENDING" | "WAITING_PAYMENT" | "PROCESSING" | "AUTHORIZED" | "PAID" | "FAILED" | "REFUSED" | "REFUNDED" | "CHARGEDBACK" | "DISPUTE";
            /** @description Why it is FAILED or REFUSED. */
            statusReason: string | null;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        /** @description A status that a transaction has had. */
        TransactionHistoryEntry: {
            /** @description SELLER, PROVIDER, WORKER or OPERATOR. */
            actor: string;
            /**
             * Format: date-time
             * @description When the status changed.
             */
            at: string;
            /** @description Null for the initial status. */
            from: string | null;
            /** @description Why the status changed. */
            reason: string | null;
            /** @description New status. */
            to: string;
        };
        /** @description Transactions that were looked up. */
        TransactionLookup: {
            /** @description Newest first, at most 20. */
            found: components["schemas"]["TransactionLookupResult"][];
            /**
             * Format: date-time
             * @description When the oldest searched transaction was created; null if all were searched.
             */
            searchedSince: string | null;
        };
        TransactionLookupResponse: {
            data: components["schemas"]["TransactionLookup"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A transaction that was looked up. */
        TransactionLookupResult: {
            /** @description Cents. */
            amount: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description The payer. */
            customer: {
                /** @description E-mail address. */
                email: string;
                /** @description Name. */
                name: string;
            };
            /** @description The description of the transaction. */
            description: string | null;
            /** @description Cents. */
            feeAmount: number;
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /** @description Card payments only. */
            installments: number | null;
            /** @description How the payer pays. */
            method: string;
            /** @description Amount minus the fee, in cents. */
            netAmount: number;
            /**
             * Format: date-time
             * @description When it was paid; null if it has not been paid.
             */
            paidAt: string | null;
            /** @description Status. */
            status: string;
        };
        TransactionResponse: {
            data: components["schemas"]["Transaction"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description One page of the transactions that were found. */
        TransactionSearch: {
            /** @description Number of transactions that match, on all pages. */
            count: number;
            /** @description The transactions of this page, newest first. */
            data: components["schemas"]["TransactionSearchResult"][];
            /** @description Number of transactions that were skipped. */
            skip: number;
            /** @description Page size. */
            take: number;
        };
        TransactionSearchResponse: {
            data: components["schemas"]["TransactionSearch"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A transaction with its seller. */
        TransactionSearchResult: {
            /** @description Cents. */
            amount: number;
            boleto: components["schemas"]["Boleto"];
            card: components["schemas"]["Card"];
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            customer: components["schemas"]["Customer"];
            /** @description The description of the request. */
            description: string | null;
            /** @description Cents. */
            feeAmount: number;
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /** @description Card payments only. */
            installments: number | null;
            /** @description What is sold. */
            items: components["schemas"]["Item"][];
            /** @description The metadata of the request. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * @description How the payer pays.
             * @enum {string}
             */
            method: "PIX" | "BOLETO" | "CREDIT_CARD";
            /** @description Amount minus the fee, in cents. */
            netAmount: number;
            /**
             * Format: date-time
             * @description When it was paid; null if it has not been paid.
             */
            paidAt: string | null;
            pix: components["schemas"]["Pix"];
            /** @description URL that is notified of updates, in addition to your webhooks. */
            postbackUrl: string | null;
            /** @description Cents returned to the payer so far. */
            refundedAmount: number;
            /** @description Cents that a provider is returning to the payer and has not confirmed yet. */
            refundingAmount: number;
            /**
             * Format: uuid
             * @description The seller.
             */
            sellerId: string;
            /** @description Name of the seller. */
            sellerName: string;
            /**
             * @description Status. PENDING and WAITING_PAYMENT wait for the payer; AUTHORIZED can be captured.
             * @enum {string}
             */
            status: "PENDING" | "WAITING_PAYMENT" | "PROCESSING" | "AUTHORIZED" | "PAID" | "FAILED" | "REFUSED" | "REFUNDED" | "CHARGEDBACK" | "DISPUTE";
            /** @description Why it is FAILED or REFUSED. */
            statusReason: string | null;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        /** @description A status that a transaction has had. */
        TransactionStatusChange: {
            /** @description SELLER, PROVIDER, WORKER or OPERATOR. */
            actor: string;
            /**
             * Format: date-time
             * @description When the status changed.
             */
            at: string;
            /** @description Null for the initial status. */
            from: string | null;
            /** @description Why the status changed. */
            reason: string | null;
            /**
             * @description New status.
             * @enum {string}
             */
            to: "PENDING" | "WAITING_PAYMENT" | "PROCESSING" | "AUTHORIZED" | "PAID" | "FAILED" | "REFUSED" | "REFUNDED" | "CHARGEDBACK" | "DISPUTE";
        };
        /** @description A transaction of a list. */
        TransactionSummary: {
            /** @description Cents. */
            amount: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description Cents. */
            feeAmount: number;
            /**
             * Format: uuid
             * @description Unique identifier.
             */
            id: string;
            /** @description Card payments only. */
            installments: number | null;
            /** @description How the payer pays. */
            method: string;
            /** @description Amount minus the fee, in cents. */
            netAmount: number;
            /**
             * Format: date-time
             * @description When it was paid; null if it has not been paid.
             */
            paidAt: string | null;
            /** @description Status. */
            status: string;
        };
        TransactionSummaryPage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["TransactionSummary"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description The history of a transaction. */
        TransactionTimeline: {
            /** @description All statuses, oldest first. */
            history: components["schemas"]["TransactionStatusChange"][];
            /** @description Oldest first, at most 1,000. */
            refunds: components["schemas"]["Refund"][];
        };
        TransactionTimelineResponse: {
            data: components["schemas"]["TransactionTimeline"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description The event of a transaction. */
        TransactionUpdatedEvent: {
            /** @description The transaction. */
            data: {
                /** @description Cents. */
                amount: number;
                /** @description The customer's externalRef. */
                externalRef: string | null;
                /** @description Cents. */
                feeAmount: number;
                /**
                 * Format: uuid
                 * @description The id of the transaction.
                 */
                id: string;
                /** @description The metadata of the transaction. */
                metadata: {
                    [key: string]: unknown;
                } | null;
                /**
                 * @description How the payer pays.
                 * @enum {string}
                 */
                method: "PIX" | "BOLETO" | "CREDIT_CARD";
                /** @description Amount minus the fee, in cents. */
                netAmount: number;
                /**
                 * Format: date-time
                 * @description When it was paid; null if it has not been paid.
                 */
                paidAt: string | null;
                /**
                 * @description Status.
                 * @enum {string}
                 */
                status: "PENDING" | "WAITING_PAYMENT" | "PROCESSING" | "AUTHORIZED" | "PAID" | "FAILED" | "REFUSED" | "REFUNDED" | "CHARGEDBACK" | "DISPUTE";
            };
            /**
             * @description The event type.
             * @constant
             */
            event: "TRANSACTION_UPDATED";
        };
        /** @description Asks for the second factor. */
        TwoFactorChallenge: {
            /** @description Send it with the code to `POST /login/two-factor` within five minutes. */
            challenge: string;
            /**
             * @description Always true.
             * @constant
             */
            twoFactorRequired: true;
        };
        TwoFactorLoginResponse: components["schemas"]["SignIn"] | components["schemas"]["CookieSignIn"];
        /** @description The seed of an authenticator. */
        TwoFactorSetup: {
            /** @description The seed in base32, for typing. */
            secret: string;
            /** @description An `otpauth://` URI, for a QR code. */
            uri: string;
        };
        TwoFactorSetupResponse: {
            data: components["schemas"]["TwoFactorSetup"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        UnhealthyResponse: {
            /**
             * @description For programs; stable. `/docs/errors` lists the cause and remedy of each code.
             * @enum {string}
             */
            code: "missing_credentials" | "malformed_api_key" | "revoked_api_key" | "invalid_access_token" | "invalid_refresh_token" | "invalid_challenge" | "invalid_credentials" | "invalid_metrics_token" | "invalid_notification" | "permission_denied" | "seller_not_active" | "validation_failed" | "invalid_file" | "malformed_json" | "incomplete_body" | "malformed_url" | "malformed_request" | "bad_request" | "idempotency_key_required" | "idempotency_key_invalid" | "route_not_found" | "request_timeout" | "idempotency_key_reused" | "body_too_large" | "unsupported_media_type" | "expectation_failed" | "headers_too_large" | "rate_limited" | "internal_error" | "service_unavailable" | "transaction_not_found" | "dispute_not_found" | "invalid_transition" | "dispute_not_appealable" | "method_unavailable" | "amount_below_fee" | "amount_not_allowed" | "refund_period_ended" | "insufficient_balance" | "event_already_used" | "withdrawal_not_found" | "reversal_not_found" | "withdrawal_already_approved" | "webhook_not_found" | "delivery_not_found" | "webhook_disabled" | "webhook_deleted" | "too_many_webhooks" | "user_not_found" | "session_not_found" | "api_key_not_found" | "too_many_api_keys" | "email_taken" | "last_owner" | "last_admin" | "cannot_delete_self" | "wrong_password" | "wrong_code" | "wrong_password_or_code" | "two_factor_already_active" | "seller_not_found" | "shipment_not_found" | "return_file_not_found" | "file_exchange_not_configured" | "nothing_to_ship";
            data: components["schemas"]["FailedHealth"];
            /** @description The name of the status. */
            error: string;
            /** @description Only of `validation_failed` and `invalid_file`: what is wrong, field by field. */
            errors?: components["schemas"]["FieldError"][];
            /** @description For people. An array if the response has `errors`, with one entry for each. */
            message: string | string[];
            /** @description Identifies the request in the logs, as `x-request-id` does. */
            requestId: string;
            /**
             * @description False: requests cannot be served.
             * @constant
             */
            status: false;
            /** @description The HTTP status code. */
            statusCode: number;
        };
        /** @description Money that becomes available on a day. */
        UpcomingRelease: {
            /** @description Cents that become available on that day. */
            amount: number;
            /**
             * Format: date
             * @description A day in São Paulo.
             */
            day: string;
            /**
             * @description Origin of the money.
             * @enum {string}
             */
            origin: "PIX" | "BOLETO" | "CARD";
            /** @description The number of payments and installments. */
            releases: number;
        };
        UpdateMeRequest: {
            /** @description Full name. */
            name: string;
        };
        UpdateSellerRequest: {
            /** @description Cents. Withdrawals up to this amount are approved automatically. */
            autoApproveUpTo?: number;
            /** @description Bank business days until a paid boleto is available. */
            boletoDelayDays?: number;
            /** @description Days until a card payment is available, for each installment. */
            cardDelayDays?: number;
            /** @description Cents. Debited from the seller for each chargeback. */
            chargebackFee?: number;
            /** @description Transactions that the seller may create per minute. */
            creationsPerMinute?: number;
            /** @description Cents. Refunds may take the available balance this far below zero. */
            negativeBalanceUpTo?: number;
            /** @description Requests that the seller may send per minute. */
            requestsPerMinute?: number;
            /**
             * @description Status of the seller. Only an ACTIVE seller can use the API.
             * @enum {string}
             */
            status?: "PENDING" | "ACTIVE" | "SUSPENDED" | "CLOSED";
        };
        UpdateUserRequest: {
            /** @description Full name. */
            name?: string;
            /**
             * @description What the user may do. OWNER: everything. FINANCE: withdrawals, refunds and appeals. DEVELOPER: transactions, webhooks and API keys. VIEWER: read.
             * @enum {string}
             */
            role?: "OWNER" | "FINANCE" | "DEVELOPER" | "VIEWER";
        };
        UpdateWebhookRequest: {
            /** @description Describes the webhook for your own use. */
            description?: string | null;
            /**
             * @description Events that it receives.
             * @enum {string}
             */
            eventType?: "TRANSACTION" | "WITHDRAWAL" | "DISPUTE" | "ALL";
            /**
             * @description ACTIVE enables it again, DISABLED disables it.
             * @enum {string}
             */
            status?: "ACTIVE" | "DISABLED";
            /**
             * Format: uri
             * @description HTTPS URL that receives the events, without credentials.
             */
            url?: string;
        };
        /** @description A user of a seller. */
        User: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description E-mail address, used to sign in. */
            email: string;
            /**
             * Format: uuid
             * @description The id of the user.
             */
            id: string;
            /** @description Full name. */
            name: string;
            /**
             * @description What the user may do. OWNER: everything. FINANCE: withdrawals, refunds and appeals. DEVELOPER: transactions, webhooks and API keys. VIEWER: read.
             * @enum {string}
             */
            role: "OWNER" | "FINANCE" | "DEVELOPER" | "VIEWER";
        };
        UserPage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["User"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        UserResponse: {
            data: components["schemas"]["User"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description The balances of a seller. */
        Wallet: {
            /** @description Cents that can be withdrawn, net of fees. */
            availableBalance: number;
            /** @description Cents held for retention, disputes and withdrawals under way. */
            blockedBalance: number;
            /** @description The balances by the method of the payments they come from. */
            byOrigin: {
                /** @description From boletos. */
                BOLETO: components["schemas"]["Balances"];
                /** @description From card payments. */
                CARD: components["schemas"]["Balances"];
                /** @description From Pix payments. */
                PIX: components["schemas"]["Balances"];
            };
            /**
             * @description Always BRL.
             * @constant
             */
            currency: "BRL";
            /**
             * Format: uuid
             * @description The id of the wallet.
             */
            id: string;
            /**
             * Format: uuid
             * @description The seller.
             */
            sellerId: string;
            /** @description Available plus blocked, in cents. */
            totalBalance: number;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
        };
        /** @description An entry of the statement. */
        WalletEntry: {
            /** @description Change of the total balance, in cents; 0 where money only became blocked or available. */
            amount: number;
            /** @description Of the whole wallet after it, in cents. */
            availableBalance: number;
            /** @description Cents. */
            availableChange: number;
            /** @description Of the whole wallet after it, in cents. */
            blockedBalance: number;
            /** @description Cents. */
            blockedChange: number;
            /**
             * @description What caused the entry.
             * @enum {string}
             */
            cause: "PAYMENT" | "PAYMENT_FEE" | "RELEASE" | "REFUND" | "REFUND_RESERVED" | "REFUND_RETURNED" | "REFUND_REVERSED" | "CHARGEBACK" | "CHARGEBACK_FEE" | "DISPUTE_HELD" | "DISPUTE_RELEASED" | "DISPUTE_LOST" | "WITHDRAWAL_RESERVED" | "WITHDRAWAL_RETURNED" | "WITHDRAWAL_PAID" | "WITHDRAWAL_FEE";
            /**
             * Format: date-time
             * @description When it was booked.
             */
            createdAt: string;
            /**
             * @description Where the money was. Blocked are retained, disputed and reserved.
             * @enum {string}
             */
            from: "available" | "retained" | "disputed" | "reserved" | "fees" | "provider";
            /**
             * Format: uuid
             * @description The id of the entry.
             */
            id: string;
            /** @description Cents that went from one to the other. */
            moved: number;
            /**
             * @description Which of the balances it moves.
             * @enum {string}
             */
            origin: "PIX" | "BOLETO" | "CARD";
            /**
             * Format: uuid
             * @description The charge or withdrawal that caused it.
             */
            recordId: string;
            /**
             * @description Type of the record that caused it.
             * @enum {string}
             */
            recordType: "TRANSACTION" | "WITHDRAWAL";
            /**
             * @description Where it went.
             * @enum {string}
             */
            to: "available" | "retained" | "disputed" | "reserved" | "fees" | "provider";
            /** @description Of the whole wallet after it, in cents. */
            totalBalance: number;
        };
        WalletEntryPage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["WalletEntry"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        WalletResponse: {
            data: components["schemas"]["Wallet"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description An endpoint that receives events. */
        Webhook: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description Describes the webhook for your own use. */
            description: string | null;
            /**
             * Format: date-time
             * @description When it was disabled; null while it is ACTIVE.
             */
            disabledAt: string | null;
            /** @description Why it was disabled; null while it is ACTIVE. */
            disabledReason: string | null;
            /**
             * @description Events that it receives.
             * @enum {string}
             */
            eventType: "TRANSACTION" | "WITHDRAWAL" | "DISPUTE" | "ALL";
            /**
             * Format: uuid
             * @description The id of the webhook.
             */
            id: string;
            /**
             * @description Events are held while it is DISABLED, and sent when it is replayed.
             * @enum {string}
             */
            status: "ACTIVE" | "DISABLED";
            /** @description URL that receives the events. */
            url: string;
        };
        WebhookList: {
            /** @description Number of records. */
            count: number;
            /** @description The records. */
            data: components["schemas"]["Webhook"][];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        WebhookResponse: {
            data: components["schemas"]["Webhook"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A webhook and its secret. */
        WebhookWithSecret: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description Describes the webhook for your own use. */
            description: string | null;
            /**
             * Format: date-time
             * @description When it was disabled; null while it is ACTIVE.
             */
            disabledAt: string | null;
            /** @description Why it was disabled; null while it is ACTIVE. */
            disabledReason: string | null;
            /**
             * @description Events that it receives.
             * @enum {string}
             */
            eventType: "TRANSACTION" | "WITHDRAWAL" | "DISPUTE" | "ALL";
            /**
             * Format: uuid
             * @description The id of the webhook.
             */
            id: string;
            /** @description Signs the deliveries. Shown once. */
            secret: string;
            /**
             * @description Events are held while it is DISABLED, and sent when it is replayed.
             * @enum {string}
             */
            status: "ACTIVE" | "DISABLED";
            /** @description URL that receives the events. */
            url: string;
        };
        WebhookWithSecretResponse: {
            data: components["schemas"]["WebhookWithSecret"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A payout of the balance. */
        Withdrawal: {
            /** @description In cents, deducted from the balance. */
            amount: number;
            /**
             * Format: date-time
             * @description When it was approved; null until then.
             */
            approvedAt: string | null;
            bankAccount?: components["schemas"]["MaskedBankAccount"];
            /** @description Masked. */
            beneficiaryDocumentNumber: string | null;
            /** @description CPF or CNPJ; null if unknown. */
            beneficiaryDocumentType: string | null;
            /** @description Name of the payee. */
            beneficiaryName: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            createdAt: string;
            /** @description TRC20, ERC20, POLYGON or BTC; null for PIX. */
            cryptoNetwork: string | null;
            /** @description Masked; null for PIX. */
            cryptoWalletAddress: string | null;
            /** @description The description of the request. */
            description: string | null;
            /** @description Reference of the withdrawal; null if it has none. */
            externalRef: string | null;
            /** @description In cents. */
            feeAmount: number;
            /**
             * Format: uuid
             * @description The id of the withdrawal.
             */
            id: string;
            /** @description The metadata of the request. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * @description How the withdrawal is paid.
             * @enum {string}
             */
            method: "PIX" | "CRYPTO" | "TED";
            /** @description In cents, paid to the payee: the amount less the fee. */
            netAmount: number;
            /**
             * Format: date-time
             * @description When it was paid; null until then.
             */
            paidAt: string | null;
            /** @description Masked; null for CRYPTO. */
            pixKey: string | null;
            /** @description CPF, CNPJ, PHONE, EMAIL or EVP; null for CRYPTO. */
            pixKeyType: string | null;
            /**
             * Format: date-time
             * @description When it was assigned to a provider.
             */
            processedAt: string | null;
            /** @description Set if the status is REJECTED or FAILED. */
            rejectionReason: string | null;
            /**
             * @description Status.
             * @enum {string}
             */
            status: "PENDING" | "APPROVED" | "REJECTED" | "PROCESSING" | "PAID" | "FAILED";
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updatedAt: string;
            /** @description Type of the withdrawal. */
            withdrawalType: string;
            /**
             * @description Origin of the balance that pays.
             * @enum {string}
             */
            withdrawFrom: "PIX" | "BOLETO" | "CARD";
        };
        /** @description An approval of a withdrawal. */
        WithdrawalApproval: {
            /**
             * Format: date-time
             * @description When the user approved.
             */
            at: string;
            /**
             * Format: uuid
             * @description The operator's user who approved.
             */
            userId: string;
        };
        WithdrawalPage: {
            /** @description Number of records that match the filters, on all pages. */
            count: number;
            /** @description The records of this page. */
            data: components["schemas"]["Withdrawal"][];
            /** @description Pass it as `cursor` to read the next page; null on the last page. */
            nextCursor: string | null;
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        WithdrawalResponse: {
            data: components["schemas"]["Withdrawal"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A withdrawal. Field names are snake_case. */
        WithdrawalSearchResult: {
            /** @description The provider that pays it. */
            acquirer_id: string | null;
            /** @description In cents, deducted from the balance. */
            amount: number;
            /**
             * Format: date-time
             * @description When it was approved; null until then.
             */
            approved_at: string | null;
            /** @description The operator's user; null for an automatic approval. */
            approved_by: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description Reference of the withdrawal; null if it has none. */
            external_ref: string | null;
            /** @description In cents. */
            fee_amount: number;
            /**
             * Format: uuid
             * @description The id of the withdrawal.
             */
            id: string;
            /** @description The metadata of the request. */
            metadata: {
                [key: string]: unknown;
            } | null;
            /**
             * @description How the withdrawal is paid.
             * @enum {string}
             */
            method: "PIX" | "CRYPTO" | "TED";
            /** @description In cents, paid to the payee: the amount less the fee. */
            net_amount: number;
            /** @description Masked. */
            pix_key: string | null;
            /** @description CPF, CNPJ, PHONE, EMAIL or EVP; null for CRYPTO. */
            pix_key_type: string | null;
            /**
             * Format: date-time
             * @description When it was assigned to a provider; null until then.
             */
            processed_at: string | null;
            /** @description Set if the status is REJECTED or FAILED. */
            rejection_reason: string | null;
            /**
             * Format: uuid
             * @description The seller.
             */
            seller_id: string;
            /**
             * @description Status.
             * @enum {string}
             */
            status: "PENDING" | "APPROVED" | "REJECTED" | "PROCESSING" | "PAID" | "FAILED";
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
            /** @description Type of the withdrawal. */
            withdrawal_type: string;
        };
        WithdrawalSearchResultList: {
            /** @description Newest first. */
            data: components["schemas"]["WithdrawalSearchResult"][];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description A status that a withdrawal has had. */
        WithdrawalStatusChange: {
            /** @description SELLER, GATEWAY (automatic approval), OPERATOR, WORKER or PROVIDER. */
            actor: string;
            /**
             * Format: date-time
             * @description When the status changed.
             */
            at: string;
            /** @description Null for the first status. */
            from: string | null;
            /** @description Why the status changed. */
            reason: string | null;
            /** @description New status. */
            to: string;
        };
        /** @description The history of a withdrawal. */
        WithdrawalTimeline: {
            /** @description All status changes, oldest first. */
            history: components["schemas"]["WithdrawalStatusChange"][];
        };
        WithdrawalTimelineResponse: {
            data: components["schemas"]["WithdrawalTimeline"];
            /**
             * @description True: the request succeeded.
             * @constant
             */
            status: true;
        };
        /** @description The event of a withdrawal. */
        WithdrawalUpdatedEvent: {
            /** @description The withdrawal. */
            data: {
                /** @description Cents that leave the balance. */
                amount: number;
                /**
                 * Format: uuid
                 * @description The id of the withdrawal.
                 */
                id: string;
                /**
                 * @description How the withdrawal is paid.
                 * @enum {string}
                 */
                method: "PIX" | "CRYPTO" | "TED";
                /**
                 * Format: date-time
                 * @description When it was paid; null if it has not been paid.
                 */
                paidAt: string | null;
                /**
                 * @description Status.
                 * @enum {string}
                 */
                status: "PENDING" | "APPROVED" | "REJECTED" | "PROCESSING" | "PAID" | "FAILED";
            };
            /**
             * @description The event type.
             * @constant
             */
            event: "WITHDRAWAL_UPDATED";
        };
        /** @description A worker process. */
        Worker: {
            /**
             * Format: uuid
             * @description The id of the process.
             */
            id: string;
            /** @description Its jobs. */
            loops: components["schemas"]["WorkerJob"][];
            /**
             * Format: date-time
             * @description Updated every five seconds. A much older time means that the process has stopped.
             */
            seenAt: string;
            /**
             * Format: date-time
             * @description When the process started.
             */
            startedAt: string;
        };
        /** @description A job of a worker process. */
        WorkerJob: {
            /** @description Consecutive failed runs. */
            failures: number;
            /**
             * Format: date-time
             * @description When it last ran.
             */
            lastRunAt: string | null;
            /** @description Name of the job. */
            name: string;
        };
    };
    responses: {
        /** @description The body is too large. */
        BodyTooLarge: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential is valid but lacks the permission. */
        Forbidden: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential is valid but lacks the permission. */
        ForbiddenToRole: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The Idempotency-Key was used with a different body. */
        IdempotencyConflict: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The gateway failed. Report the `requestId` to its operator. */
        InternalServerError: {
            headers: {
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The operation does not accept the media type of the body. */
        NotJson: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The gateway is unavailable. Retry after the seconds in `Retry-After`. The request may have been processed; a retry with the same Idempotency-Key has no further effect. */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["RetryAfter"];
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many requests. Retry after the seconds in `Retry-After`. */
        TooManyRequests: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "Retry-After": components["headers"]["RetryAfter"];
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The credential is missing, invalid, expired or revoked. */
        Unauthorized: {
            headers: {
                "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                "RateLimit-Reset": components["headers"]["RateLimitReset"];
                "x-request-id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /**
         * @description Only on a replay: this is the first response again, and the request had no effect.
         * @example true
         */
        IdempotencyReplayed: "true";
        /**
         * @description Requests per minute.
         * @example 120
         */
        RateLimitLimit: number;
        /**
         * @description Remaining requests in this minute.
         * @example 117
         */
        RateLimitRemaining: number;
        /**
         * @description Seconds until the limit resets.
         * @example 42
         */
        RateLimitReset: number;
        /**
         * @description Identifies this request in the logs.
         * @example d2f3a7c4-5a0e-4f0b-9c1d-6f1f5e0b7a21
         */
        RequestId: string;
        /**
         * @description Seconds to wait.
         * @example 12
         */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAuditLog: {
        parameters: {
            query?: {
                /** @description Only entries with this action. */
                action?: "seller.created" | "seller.updated" | "fees.replaced" | "user.created" | "user.updated" | "user.deleted" | "user.password-changed" | "user.two-factor-enabled" | "user.two-factor-disabled" | "user.recovery-code-used" | "api-key.created" | "api-key.deleted" | "webhook.created" | "webhook.updated" | "webhook.deleted" | "webhook.secret-rotated" | "withdrawal.approval-recorded" | "withdrawal.approved" | "withdrawal.rejected" | "dispute.opened" | "dispute.resolved" | "reversal.settled" | "settings.updated" | "settlement-file.imported" | "cnab-shipment.created" | "cnab-return.imported" | "sandbox.clock-advanced" | "encryption-keys.rotated" | "payer.exported" | "payer.erased";
                /** @description Only changes by this user or API key. */
                actorId?: string;
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description ISO 8601, inclusive: a day includes all of its hours. */
                endDate?: string;
                /** @description `true` returns all matching records as CSV and ignores `take`, `skip` and `cursor`. */
                export?: boolean;
                /** @description Only changes of this record. */
                recordId?: string;
                /** @description Only changes of records of this seller. */
                sellerId?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description ISO 8601. A day (`2026-03-01`) begins at midnight in São Paulo; a timestamp is exact. */
                startDate?: string;
                /** @description Page size. */
                take?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list; with `export=true` the whole list as CSV. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntryPage"];
                    "text/csv": string;
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getBankExchange: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BankExchangeResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listReturnFiles: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description Page size. */
                take?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnFilePage"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    importReturnFile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/plain": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnFileImportResponse"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnFileImportResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getReturnFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedReturnFileResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listReturnLines: {
        parameters: {
            query?: {
                /** @description Only lines to review. */
                problems?: boolean;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description Page size. */
                take?: number;
            };
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReturnLinePage"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listShipments: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Only shipments of this service. */
                service?: "BOLETOS" | "TRANSFERS" | "PIX";
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description Page size. */
                take?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShipmentPage"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createShipment: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateShipmentRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShipmentResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    downloadShipmentFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file: lines of 240 columns. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAllDisputes: {
        parameters: {
            query?: {
                /** @description ISO 8601, inclusive: a day includes all of its hours. */
                endDate?: string;
                /** @description Only disputes of this seller. */
                sellerId?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description ISO 8601. A day (`2026-03-01`) begins at midnight in São Paulo; a timestamp is exact. */
                startDate?: string;
                /** @description One or more statuses, separated by commas. */
                status?: string;
                /** @description Page size. */
                take?: number;
                /** @description Only disputes of this transaction. */
                transactionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorDisputePageResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAnyDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorDisputeResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resolveDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveDisputeRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    checkLedger: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerCheckResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    erasePayer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PayerQuery"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonalDataErasureResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    exportPayer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PayerQuery"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonalDataExportResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProviderEvents: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description ISO 8601, inclusive: a day includes all of its hours. */
                endDate?: string;
                /** @description Only events with this outcome. */
                outcome?: "APPLIED" | "LATE" | "DUPLICATE" | "WRONG_AMOUNT" | "REJECTED" | "UNMATCHED" | "PENDING";
                /** @description Only events of this provider. */
                provider?: string;
                /** @description Only events of this transaction or withdrawal. */
                recordId?: string;
                /** @description Only events of this seller. */
                sellerId?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description ISO 8601. A day (`2026-03-01`) begins at midnight in São Paulo; a timestamp is exact. */
                startDate?: string;
                /** @description Page size. */
                take?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderEventPage"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listProviders: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listReconciliationDays: {
        parameters: {
            query?: {
                /** @description One day, instead of startDate and endDate. */
                day?: string;
                /** @description The last day. At most 92 days are answered at once. */
                endDate?: string;
                /** @description Who sent the file, by the name of the adapter: `sandbox` in the sandbox. */
                provider?: string;
                /** @description The first day, in São Paulo. */
                startDate?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconciliationDayList"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDifferences: {
        parameters: {
            query?: {
                /** @description One day, instead of startDate and endDate. */
                day?: string;
                /** @description The last day. At most 92 days are answered at once. */
                endDate?: string;
                /** @description `true` returns all matching records as CSV and ignores `take`, `skip` and `cursor`. */
                export?: boolean;
                /** @description Only differences of this kind. */
                kind?: "MISSING_IN_LEDGER" | "MISSING_IN_FILE" | "AMOUNT_DIFFERS" | "DAY_DIFFERS" | "DUPLICATE_LINE";
                /** @description Who sent the file, by the name of the adapter: `sandbox` in the sandbox. */
                provider?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description The first day, in São Paulo. */
                startDate?: string;
                /** @description Page size. */
                take?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list; with `export=true` the whole list as CSV. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconciliationDifferencePage"];
                    "text/csv": string;
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSettlementFiles: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Files for this day or an earlier one. */
                endDate?: string;
                /** @description Who sent the file, by the name of the adapter: `sandbox` in the sandbox. */
                provider?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description Files for this day or a later one. */
                startDate?: string;
                /** @description Page size. */
                take?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementFilePage"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    importSettlementFile: {
        parameters: {
            query: {
                /** @description The São Paulo day that the file is for. */
                day: string;
                /** @description Who sent the file, by the name of the adapter: `sandbox` in the sandbox. */
                provider: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementFileImportResponse"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettlementFileImportResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listReversals: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description ISO 8601, inclusive: a day includes all of its hours. */
                endDate?: string;
                /** @description Only reversals of this seller. */
                sellerId?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description ISO 8601. A day (`2026-03-01`) begins at midnight in São Paulo; a timestamp is exact. */
                startDate?: string;
                /** @description Only reversals with this status. */
                status?: "PENDING" | "SENT" | "MANUAL";
                /** @description Page size. */
                take?: number;
                /** @description Only reversals of this transaction. */
                transactionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReversalPage"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    settleReversal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SettleReversalRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReversalResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSellers: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description `true` returns all matching records as CSV and ignores `take`, `skip` and `cursor`. */
                export?: boolean;
                /** @description Part of the name, or at least three digits of the document. */
                search?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description Status of the seller. Only an ACTIVE seller can use the API. */
                status?: "PENDING" | "ACTIVE" | "SUSPENDED" | "CLOSED";
                /** @description Page size. */
                take?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list; with `export=true` the whole list as CSV. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SellerPage"];
                    "text/csv": string;
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSeller: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSellerRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SellerResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSeller: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SellerResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateSeller: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateSellerRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SellerResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSellerApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSellerApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSellerApiKeyResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteSellerApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
                /** @description The record's id, a UUID. */
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSellerFees: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeesResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceSellerFees: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Fees"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeesResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSellerUsers: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description Page size. */
                take?: number;
            };
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SellerUserPage"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createSellerUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSellerUserRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SellerUserResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteSellerUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
                /** @description The record's id, a UUID. */
                userId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSellerWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replaceSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Settings"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SettingsResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSystem: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SystemResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAllTransactions: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description ISO 8601, inclusive: a day includes all of its hours. */
                endDate?: string;
                /** @description `true` returns all matching records as CSV and ignores `take`, `skip` and `cursor`. */
                export?: boolean;
                /** @description Only transactions with this method. */
                method?: "PIX" | "BOLETO" | "CREDIT_CARD" | "CRYPTO";
                /** @description Only transactions of this seller. */
                sellerId?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description ISO 8601. A day (`2026-03-01`) begins at midnight in São Paulo; a timestamp is exact. */
                startDate?: string;
                /** @description One or more statuses, separated by commas. */
                status?: string;
                /** @description Page size. */
                take?: number;
                /** @description Only the transaction with this id. */
                transactionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list; with `export=true` the whole list as CSV. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorTransactionSummaryPage"];
                    "text/csv": string;
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAnyTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorTransactionResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    openDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OpenDisputeRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputeResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listOperatorUsers: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description Page size. */
                take?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorUserPage"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createOperatorUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOperatorUserRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorUserResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteOperatorUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAllWebhooks: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Only disabled webhooks, or only enabled ones. */
                disabled?: boolean;
                /** @description Only webhooks of this seller. */
                sellerId?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description Page size. */
                take?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorWebhookPage"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listAllWithdrawals: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description `true` returns all matching records as CSV and ignores `take`, `skip` and `cursor`. */
                export?: boolean;
                /** @description Only withdrawals of this seller. */
                sellerId?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description One or more statuses, separated by commas. */
                status?: string;
                /** @description Page size. */
                take?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list; with `export=true` the whole list as CSV. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorWithdrawalPage"];
                    "text/csv": string;
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getAnyWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorWithdrawalResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    approveWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorWithdrawalResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rejectWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RejectWithdrawalRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorWithdrawalResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKeyRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKeyResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    refreshToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefreshTokenRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefreshTokenResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The credential is missing, invalid, expired or revoked. */
            401: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["ForbiddenToRole"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createCardToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCardTokenRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardTokenResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDisputes: {
        parameters: {
            query?: {
                /** @description ISO 8601, inclusive: a day includes all of its hours. */
                endDate?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description ISO 8601. A day (`2026-03-01`) begins at midnight in São Paulo; a timestamp is exact. */
                startDate?: string;
                /** @description One or more statuses, separated by commas. */
                status?: string;
                /** @description Page size. */
                take?: number;
                /** @description Only disputes of this transaction. */
                transactionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputePageResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputePageResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    appealDispute: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AppealDisputeRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisputePageResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description The nextCursor of the previous response, or `now` for future events. Defaults to the oldest retained event. */
                after?: string;
                /** @description Events per response. */
                take?: number;
                /** @description Comma-separated event names. Defaults to all events. */
                types?: string;
                /** @description Seconds to wait if there is no event yet. The response may come earlier. */
                wait?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListEventsResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    simulateFees: {
        parameters: {
            query: {
                /** @description Cents. */
                amount: number;
                /** @description For cards. */
                installments?: number;
                /** @description How the payer would pay. */
                method: "PIX" | "BOLETO" | "CREDIT_CARD";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeeSimulationResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    check: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthResponse"];
                };
            };
            500: components["responses"]["InternalServerError"];
            /** @description Service Unavailable */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnhealthyResponse"];
                };
            };
        };
    };
    checkLive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LivenessResponse"];
                };
            };
            500: components["responses"]["InternalServerError"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The credential is missing, invalid, expired or revoked. */
            401: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["ForbiddenToRole"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    loginWithTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginWithTwoFactorRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TwoFactorLoginResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The credential is missing, invalid, expired or revoked. */
            401: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["ForbiddenToRole"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSummary: {
        parameters: {
            query: {
                /** @description The last day, in São Paulo. */
                endDate: string;
                /** @description The period has at most 31 days for `hour`, 366 for `day` and 1,830 for `month`. */
                interval?: "hour" | "day" | "month";
                /** @description The first day, in São Paulo. */
                startDate: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SummaryReportResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    advanceClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceClockRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClockResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The body is too large. */
            413: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The operation does not accept the media type of the body. */
            415: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    downloadSettlementFile: {
        parameters: {
            query: {
                /** @description The São Paulo day that the file is for. */
                day: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sandboxChargebackTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sandboxOpenDispute: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sandboxFailTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sandboxPayTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SandboxPayTransactionRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sandboxProcessingTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sandboxRefuseTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sandboxFailWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    sandboxPayWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWalletEntries: {
        parameters: {
            query?: {
                /** @description Only entries with this cause. */
                cause?: "PAYMENT" | "PAYMENT_FEE" | "RELEASE" | "REFUND" | "REFUND_RESERVED" | "REFUND_RETURNED" | "REFUND_REVERSED" | "CHARGEBACK" | "CHARGEBACK_FEE" | "DISPUTE_HELD" | "DISPUTE_RELEASED" | "DISPUTE_LOST" | "WITHDRAWAL_RESERVED" | "WITHDRAWAL_RETURNED" | "WITHDRAWAL_PAID" | "WITHDRAWAL_FEE";
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description ISO 8601, inclusive: a day includes all of its hours. */
                endDate?: string;
                /** @description `true` returns all matching records as CSV and ignores `take`, `skip` and `cursor`. */
                export?: boolean;
                /** @description Only entries of this origin. */
                origin?: "PIX" | "BOLETO" | "CARD";
                /** @description A charge or a withdrawal. */
                recordId?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description ISO 8601. A day (`2026-03-01`) begins at midnight in São Paulo; a timestamp is exact. */
                startDate?: string;
                /** @description Page size. */
                take?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list; with `export=true` the whole list as CSV. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletEntryPage"];
                    "text/csv": string;
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWallet: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listReleases: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleasesResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getFees: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeesResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTransactions: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description `true` returns all matching records as CSV and ignores `take`, `skip` and `cursor`. */
                export?: boolean;
                /** @description Only records whose metadata has this key. */
                metadataKey?: string;
                /** @description Part of the value of metadataKey. */
                metadataValue?: string;
                /** @description Only transactions with this method. */
                method?: "PIX" | "BOLETO" | "CREDIT_CARD" | "CRYPTO";
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description One or more statuses, separated by commas. */
                status?: string;
                /** @description Page size. */
                take?: number;
                /** @description Only the transaction with this id. */
                transactionId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list; with `export=true` the whole list as CSV. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionSummaryPage"];
                    "text/csv": string;
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTransaction: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A UUID v4 that identifies this request. A repeated request with the same key and body returns the first result and has no effect. Keys expire after 30 days.
                 * @example 6f1c1a7e-3f0e-4b7a-9b51-0d6a5c1f2e34
                 */
                "idempotency-key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTransactionRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedTransactionResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    captureTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CaptureTransactionRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    refundTransaction: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A UUID v4 that identifies this request. A repeated request with the same key and body returns the first result and has no effect. Keys expire after 30 days.
                 * @example 6f1c1a7e-3f0e-4b7a-9b51-0d6a5c1f2e34
                 */
                "idempotency-key": string;
            };
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RefundTransactionRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTransactionTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionTimelineResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    voidTransaction: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    lookUpTransactions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LookUpTransactionsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionLookupResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    searchTransactions: {
        parameters: {
            query: {
                /** @description Only records whose metadata has this key. */
                metadataKey: string;
                /** @description Part of the value of metadataKey. Any value by default. */
                metadataValue?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description Page size. */
                take?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TransactionSearchResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description Page size. */
                take?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserPage"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUserRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateUserRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentUserResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateMeRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentUserResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    setUpTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUpTwoFactorRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TwoFactorSetupResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    disableTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisableTwoFactorRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    confirmTwoFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmTwoFactorRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenToRole"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecretResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayWebhookRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplayResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecretResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestDeliveryResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description ISO 8601, inclusive: a day includes all of its hours. */
                endDate?: string;
                /** @description The name of the event. */
                event?: string;
                /** @description Only deliveries about this transaction, withdrawal or dispute. */
                recordId?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description ISO 8601. A day (`2026-03-01`) begins at midnight in São Paulo; a timestamp is exact. */
                startDate?: string;
                /** @description Only deliveries with this status. */
                status?: "PENDING" | "DELIVERED" | "FAILED" | "HELD";
                /** @description Page size. */
                take?: number;
                /** @description Only deliveries to this webhook. */
                webhookId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryWithAttemptsResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the delivery. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResentDeliveryResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendFailedDeliveries: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendFailedDeliveriesRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResendFailedResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEventTypes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventTypeList"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPostbackSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PostbackSecretResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendTransactionEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendTransactionEventsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResendResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendWithdrawalEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendWithdrawalEventsRequest"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResendResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWithdrawals: {
        parameters: {
            query?: {
                /** @description The `nextCursor` of the previous page. */
                cursor?: string;
                /** @description ISO 8601, inclusive: a day includes all of its hours. */
                endDate?: string;
                /** @description `true` returns all matching records as CSV and ignores `take`, `skip` and `cursor`. */
                export?: boolean;
                /** @description Cents. */
                maxAmount?: number;
                /** @description Only records whose metadata has this key. */
                metadataKey?: string;
                /** @description A part of the value of metadataKey. */
                metadataValue?: string;
                /** @description How the withdrawal is paid. */
                method?: "PIX" | "CRYPTO" | "TED" | "DOC";
                /** @description Cents. */
                minAmount?: number;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description ISO 8601. A day (`2026-03-01`) begins at midnight in São Paulo; a timestamp is exact. */
                startDate?: string;
                /** @description One or more statuses, separated by commas. */
                status?: string;
                /** @description Page size. */
                take?: number;
                /** @description Only the withdrawal with this id. */
                withdrawalId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the list; with `export=true` the whole list as CSV. */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalPage"];
                    "text/csv": string;
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWithdrawal: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description A UUID v4 that identifies this request. A repeated request with the same key and body returns the first result and has no effect. Keys expire after 30 days.
                 * @example 6f1c1a7e-3f0e-4b7a-9b51-0d6a5c1f2e34
                 */
                "idempotency-key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWithdrawalRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    "Idempotency-Replayed": components["headers"]["IdempotencyReplayed"];
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalResponse"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["BodyTooLarge"];
            415: components["responses"]["NotJson"];
            /** @description The request is valid, but it violates a business rule. */
            422: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWithdrawal: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWithdrawalTimeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The record's id, a UUID. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalTimelineResponse"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            /** @description The record does not exist or belongs to another seller. */
            404: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    searchWithdrawals: {
        parameters: {
            query: {
                /** @description Only records whose metadata has this key. */
                metadataKey: string;
                /** @description A part of the value of metadataKey. */
                metadataValue?: string;
                /** @description Number of records to skip; ignored with a cursor. */
                skip?: number;
                /** @description Maximum number of results, newest first. */
                take?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WithdrawalSearchResultList"];
                };
            };
            /** @description The request is invalid. Fix the fields listed in `message` and send it again. */
            400: {
                headers: {
                    "RateLimit-Limit": components["headers"]["RateLimitLimit"];
                    "RateLimit-Remaining": components["headers"]["RateLimitRemaining"];
                    "RateLimit-Reset": components["headers"]["RateLimitReset"];
                    "x-request-id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    disputeUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same on every attempt. Ignore ids that you have already processed.
                 * @example 0198c1f2-7a10-4e6b-9c55-2b8d4f6a1e07
                 */
                "webhook-id": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, one for each active secret, space-separated. The key is the part of the secret after `whsec_`, decoded from base64.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description The time of this attempt, as a Unix timestamp in seconds.
                 * @example 1772366400
                 */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DisputeUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received. The delivery is retried after any other response, or if none arrives within 15 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    ping: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same on every attempt. Ignore ids that you have already processed.
                 * @example 0198c1f2-7a10-4e6b-9c55-2b8d4f6a1e07
                 */
                "webhook-id": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, one for each active secret, space-separated. The key is the part of the secret after `whsec_`, decoded from base64.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description The time of this attempt, as a Unix timestamp in seconds.
                 * @example 1772366400
                 */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PingEvent"];
            };
        };
        responses: {
            /** @description Received. The delivery is retried after any other response, or if none arrives within 15 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    transactionUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same on every attempt. Ignore ids that you have already processed.
                 * @example 0198c1f2-7a10-4e6b-9c55-2b8d4f6a1e07
                 */
                "webhook-id": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, one for each active secret, space-separated. The key is the part of the secret after `whsec_`, decoded from base64.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description The time of this attempt, as a Unix timestamp in seconds.
                 * @example 1772366400
                 */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TransactionUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received. The delivery is retried after any other response, or if none arrives within 15 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    withdrawalUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description The same on every attempt. Ignore ids that you have already processed.
                 * @example 0198c1f2-7a10-4e6b-9c55-2b8d4f6a1e07
                 */
                "webhook-id": string;
                /**
                 * @description `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body`, one for each active secret, space-separated. The key is the part of the secret after `whsec_`, decoded from base64.
                 * @example v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=
                 */
                "webhook-signature": string;
                /**
                 * @description The time of this attempt, as a Unix timestamp in seconds.
                 * @example 1772366400
                 */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WithdrawalUpdatedEvent"];
            };
        };
        responses: {
            /** @description Received. The delivery is retried after any other response, or if none arrives within 15 seconds. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
