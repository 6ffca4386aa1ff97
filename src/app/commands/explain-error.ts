import { ConfigError } from '#app/config.ts';

type SystemError = NodeJS.ErrnoException & { address?: string; port?: number; hostname?: string };

/** Returns the lines that explain an error and name what to change. */
export function explain(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.lines;
  // A name with several addresses fails with one error for each, and no words of its own.
  if (error instanceof AggregateError) return explain(error.errors[0]);
  if (!(error instanceof Error)) return ['unknown error'];
  const { code, syscall, address, port, hostname }: SystemError = error;
  // PostgreSQL's word for a table that does not exist.
  if (code === '42P01') return ['the database has no tables yet: run npm run migrate or npm start first'];
  switch (`${syscall} ${code}`) {
    case 'listen EADDRINUSE':
      return [`PORT ${port} on ${address} is in use by another program: stop it, or set another PORT`];
    case 'listen EACCES':
      return [`PORT ${port} requires root privileges: set another PORT`];
    case 'listen EADDRNOTAVAIL':
      return [`HOST ${address} is not an address of this machine`];
    case 'getaddrinfo ENOTFOUND':
      return [`the host name ${hostname} cannot be resolved: check HOST and DATABASE_URL`];
    default:
      return [error.message];
  }
}
