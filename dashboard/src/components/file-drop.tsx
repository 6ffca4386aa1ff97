import { Button, FileButton, Group, Text } from '@mantine/core';
import { FileUp } from 'lucide-react';
import { useState, type ReactNode } from 'react';

/** Selects one file, by drag and drop or dialog. `children` is the submit button. */
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
  /** Label of the button that opens the file dialog. */
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
