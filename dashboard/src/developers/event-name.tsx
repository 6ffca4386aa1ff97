import { Fragment } from 'react';

/** Event type, such as `TRANSACTION_UPDATED`, with line breaks allowed after underscores. */
export function EventName({ name }: { readonly name: string }) {
  const [first, ...rest] = name.split('_');
  return (
    <>
      {first}
      {rest.map((part) => (
        <Fragment key={part}>
          _<wbr />
          {part}
        </Fragment>
      ))}
    </>
  );
}
