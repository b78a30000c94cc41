-- A statement reads an account's credits and payments, which are few, among the charges of every minute.

create index ledger_transaction_other on ledger_transaction (at) where kind <> 'usage';
