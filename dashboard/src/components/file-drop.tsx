import { Button, FileButton, Group, Text } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { useState, type ReactNode } from 'react';

/** One file, dropped or chosen; `children` is what is done with it. */
export function FileDrop({
  file,
  accept,
  hint,
  choose,
  onChoose,
  children,
}: {
  readonly file: File | null;
  readonly accept: string;
  readonly hint: string;
  /** What the button says that opens the browser's own choice. */
  readonly choose: string;
  readonly onChoose: (file: File | null) => void;
  readonly children: ReactNode;
}): ReactNode {
  const [over, setOver] = useState(false);
  return (
    <Group
      className="drop"
      data-over={over || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onChoose(event.dataTransfer.files[0] ?? null);
      }}
      gap="sm"
    >
      <FileUp aria-hidden />
      <Text size="sm" flex={1} miw={160} className="whole" aria-live="polite">
        {file === null ? hint : file.name}
      </Text>
      <FileButton accept={accept} onChange={onChoose}>
        {(props) => (
          <Button variant="default" {...props}>
            {choose}
          </Button>
        )}
      </FileButton>
      {children}
    </Group>
  );
}
