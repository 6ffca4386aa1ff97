import { capitalize, currentLanguage } from './format.ts';

/** What is wrong with a line of an imported file, in Portuguese. English is the API's text. */
const RULES: readonly (readonly [RegExp, string])[] = [
  // Settlement files.
  [/^must have (\d+) values separated by commas$/, 'deve ter $1 valores separados por vírgula.'],
  [
    /^values must be separated by commas/,
    'os valores devem ser separados por vírgula, não por ponto e vírgula.',
  ],
  [/^column (\w+) is missing$/, 'falta a coluna $1.'],
  [/^column (\w+) must appear once$/, 'a coluna $1 deve aparecer uma única vez.'],
  [/^columns must be /, 'as colunas devem ser id, type, amount, fee, date e, opcionalmente, reference.'],
  [/^id must be 1 to 100 /, 'o ID deve ter de 1 a 100 caracteres sem acentos e começar com letra ou número.'],
  [/^type must be .*: PAYMENT, /, 'o tipo deve ser PAYMENT, REFUND, CHARGEBACK ou WITHDRAWAL.'],
  [/^amount must be an integer number of cents /, 'o valor deve ser um número inteiro de centavos.'],
  [/^fee must be an integer number of cents /, 'a tarifa deve ser um número inteiro de centavos.'],
  [
    /^date must be a day as .* from (\S+) to (\S+)$/,
    'a data deve ter o formato AAAA-MM-DD e estar entre $1 e $2.',
  ],
  [/^reference must be a UUID or empty$/, 'a referência deve ser um ID ou ficar vazia.'],
  [/^a value that begins with a quote /, 'um valor que começa com aspas deve terminar com aspas.'],
  [
    /^a quoted value must be followed by /,
    'depois de um valor entre aspas deve vir uma vírgula ou o fim da linha.',
  ],
  [
    /^a value with a quote in it /,
    'um valor que contém aspas deve ficar entre aspas, com as internas duplicadas.',
  ],
  [/^must not have more than (\d+) values$/, 'não pode ter mais de $1 valores.'],
  [/^file must be UTF-8 text$/, 'o arquivo deve ser um texto em UTF-8.'],
  [/^file must begin with /, 'o arquivo deve começar com os nomes das colunas.'],
  [/^file must not have more than (\d+) lines$/, 'o arquivo não pode ter mais de $1 linhas.'],
  [/^file must have a line /, 'o arquivo não tem lançamentos.'],
  [/^there are more problems$/, 'há outros erros além destes.'],
  // CNAB files.
  [/^must have (\d+) columns, has (\d+)$/, 'deve ter $1 posições, mas tem $2.'],
  [/^the file is empty$/, 'o arquivo está vazio.'],
  [/^the file is from bank (\d+), .* for (\d+)$/, 'o arquivo é do banco $1, mas o configurado é o $2.'],
  [/^must be a return file /, 'deve ser um arquivo de retorno (código 2 na posição 143).'],
  [/^must be the header of the file /, 'deve ser o header do arquivo (tipo 0).'],
  [/^must be the trailer of the file /, 'deve ser o trailer do arquivo (tipo 9): o arquivo está incompleto.'],
  [/^must belong to bank (\w+), belongs to (.+)$/, 'deve ser do banco $1, mas é do $2.'],
  [/^must belong to batch (\w+), belongs to (.+)$/, 'deve ser do lote $1, mas é do $2.'],
  [/^a batch begins before /, 'um lote começa antes do fim do anterior.'],
  [/^the detail is outside a batch$/, 'o detalhe está fora de um lote.'],
  [/^the batch trailer has no header$/, 'o trailer de lote não tem header.'],
  [/^the batch header has no trailer$/, 'o header de lote não tem trailer.'],
  [/^type (.+) is not allowed here$/, 'o tipo de registro $1 não é permitido aqui.'],
  [/^states no number of records, .* has (\d+)$/, 'não informa a quantidade de registros, e há $1.'],
  [/^states no number of batches, .* has (\d+)$/, 'não informa a quantidade de lotes, e há $1.'],
  [/^states (.+) records, the (?:batch|file) has (\d+)$/, 'informa $1 registros, mas há $2.'],
  [/^states (.+) batches, the file has (\d+)$/, 'informa $1 lotes, mas há $2.'],
  [/^states a sum of (\d+), the batch adds up to (\d+)$/, 'informa o total de $1, mas a soma do lote é $2.'],
  [/^segment U has no segment T before it$/, 'falta o segmento T antes do segmento U.'],
  [/^segment T has no segment U after it$/, 'falta o segmento U depois do segmento T.'],
  [/^for another agreement$/, 'pertence a outro convênio.'],
  [/^segments T and U have different movements$/, 'os segmentos T e U têm movimentos diferentes.'],
  [/^(?:segment U: )?\w+ \(columns (\d+) to (\d+)\) must be /, 'o conteúdo das posições $1 a $2 é inválido.'],
];

const WITH_LINE = /^line (\d+): (.+)$/;

/** The text of a rule of imported files, with or without its line; undefined if it is none. */
export function findFileRule(message: string): string | undefined {
  const [, line, problem = message] = WITH_LINE.exec(message) ?? [];
  if (currentLanguage() === 'en') return line === undefined ? undefined : capitalize(message);
  for (const [pattern, portuguese] of RULES) {
    const found = pattern.exec(problem);
    if (found === null) continue;
    const text = portuguese.replaceAll(/\$(\d)/g, (_, group: string) => found[Number(group)] ?? '');
    return line === undefined ? capitalize(text) : `Linha ${line}: ${text}`;
  }
  return undefined;
}
