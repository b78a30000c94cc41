{{- define "freehold.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* Names of Services end at 63 characters. */}}
{{- define "freehold.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else if contains (include "freehold.name" .) .Release.Name }}
{{- .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "freehold.name" .) | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "freehold.selectorLabels" -}}
app.kubernetes.io/name: {{ include "freehold.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "freehold.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "freehold.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "freehold.serviceAccount" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "freehold.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{/* ClusterRoles have no namespace, so their names contain it. */}}
{{- define "freehold.clusterRole" -}}
{{ .Release.Namespace }}-{{ include "freehold.fullname" . }}
{{- end }}

{{- define "freehold.secret" -}}
{{- default (include "freehold.fullname" .) .Values.secret.existing }}
{{- end }}

{{- define "freehold.serviceUrl" -}}
http://{{ include "freehold.fullname" . }}.{{ .Release.Namespace }}.svc:{{ .Values.service.port }}
{{- end }}

{{- define "freehold.publicUrl" -}}
{{- if .Values.publicUrl }}
{{- .Values.publicUrl }}
{{- else if .Values.ingress.enabled }}
{{- ternary "https" "http" (not (empty .Values.ingress.tls)) }}://{{ .Values.ingress.host }}
{{- else }}
{{- include "freehold.serviceUrl" . }}
{{- end }}
{{- end }}

{{- define "freehold.machines" -}}
{{- $machines := list }}
{{- with .Values.cluster }}
{{- if .add }}
{{- $callback := dict "callbackUrl" (default (include "freehold.serviceUrl" $) .callbackUrl) }}
{{- $own := dict "inCluster" true "name" .name "cluster" (merge $callback .settings) }}
{{- if .declare }}{{ $_ := set $own "declare" .declare }}{{ end }}
{{- $machines = append $machines $own }}
{{- end }}
{{- end }}
{{- with concat $machines .Values.machines }}
{{- toJson . }}
{{- end }}
{{- end }}

{{/* What the values cannot say together. */}}
{{- define "freehold.validate" -}}
{{- $isSqlite := eq .Values.store "sqlite" }}
{{- if and $isSqlite (gt (int .Values.replicas) 1) }}
{{- fail "replicas: SQLite has one replica; use store: postgresql for more" }}
{{- end }}
{{- if and .Values.persistence.existingClaim (gt (int .Values.replicas) 1) }}
{{- fail "persistence.existingClaim: several replicas cannot share one data folder; leave it empty for a claim each" }}
{{- end }}
{{- if not .Values.persistence.enabled }}
{{- if $isSqlite }}
{{- fail "persistence.enabled: SQLite keeps its data in a volume; use store: postgresql without one" }}
{{- end }}
{{- if .Values.persistence.existingClaim }}
{{- fail "persistence.existingClaim: it is not used with persistence.enabled: false; leave it empty" }}
{{- end }}
{{- end }}
{{- if and (not $isSqlite) (not .Values.secret.existing) }}
{{- range list "FREEHOLD_DATABASE_URL" "FREEHOLD_SECRET_KEY" }}
{{- if not (get $.Values.secret.values .) }}
{{- fail (printf "secret.values.%s is required with PostgreSQL, or name a Secret with secret.existing" .) }}
{{- end }}
{{- end }}
{{- end }}
{{- if and .Values.secret.existing .Values.secret.values }}
{{- fail "secret.existing and secret.values exclude each other" }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) }}
{{- fail "ingress.host is required with an ingress" }}
{{- end }}
{{- if and .Values.serviceMonitor.enabled (not .Values.serviceMonitor.apiKey.secret) }}
{{- fail "serviceMonitor.apiKey.secret is required: metrics need a key of Freehold" }}
{{- end }}
{{- end }}

{{- define "freehold.pod" -}}
metadata:
  labels:
    {{- include "freehold.labels" . | nindent 4 }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  annotations:
    # A changed Secret starts new Pods.
    checksum/secret: {{ toJson .Values.secret | sha256sum }}
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  serviceAccountName: {{ include "freehold.serviceAccount" . }}
  # Otherwise Services would set variables such as FREEHOLD_PORT.
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile:
      type: RuntimeDefault
  containers:
    - name: freehold
      image: "{{ .Values.image.repository }}:{{ default .Chart.AppVersion .Values.image.tag }}"
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      securityContext:
        readOnlyRootFilesystem: true
        allowPrivilegeEscalation: false
        capabilities:
          drop: [ALL]
      env:
        - name: FREEHOLD_LISTEN
          value: 0.0.0.0:8700
        # Freehold creates the folder, readable by itself only. The volume's root has the group's mode.
        - name: FREEHOLD_DATA
          value: /data/freehold
        - name: FREEHOLD_DRIVERS
          value: {{ .Values.drivers | quote }}
        - name: FREEHOLD_PUBLIC_URL
          value: {{ include "freehold.publicUrl" . | quote }}
        {{- with include "freehold.machines" . }}
        - name: FREEHOLD_MACHINES
          value: {{ . | quote }}
        {{- end }}
        {{- if .Values.ssh.enabled }}
        - name: FREEHOLD_SSH_LISTEN
          value: 0.0.0.0:8703
        {{- end }}
        {{- if .Values.ingress.enabled }}
        {{- with .Values.ingress.proxyDomain }}
        - name: FREEHOLD_PROXY_DOMAIN
          value: {{ . | quote }}
        {{- end }}
        {{- with .Values.ingress.balancerDomain }}
        - name: FREEHOLD_BALANCER_DOMAIN
          value: {{ . | quote }}
        {{- end }}
        {{- end }}
        {{- range $name, $value := .Values.settings }}
        - name: {{ $name }}
          value: {{ $value | toString | quote }}
        {{- end }}
        {{- with .Values.extraEnv }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- if or .Values.secret.existing .Values.secret.values }}
      envFrom:
        - secretRef:
            name: {{ include "freehold.secret" . }}
      {{- end }}
      ports:
        - name: http
          containerPort: 8700
        {{- if .Values.ssh.enabled }}
        - name: ssh
          containerPort: 8703
        {{- end }}
      # A migration of the database may take minutes.
      startupProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 2
        failureThreshold: 300
      livenessProbe:
        httpGet: { path: /healthz, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /readyz, port: http }
        periodSeconds: 2
        timeoutSeconds: 4
        failureThreshold: 2
      {{- with .Values.resources }}
      resources:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
        {{- with .Values.extraVolumeMounts }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.topologySpreadConstraints }}
  topologySpreadConstraints:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  volumes:
    - name: tmp
      emptyDir: {}
    {{- if .Values.persistence.existingClaim }}
    - name: data
      persistentVolumeClaim:
        claimName: {{ .Values.persistence.existingClaim }}
    {{- else if not .Values.persistence.enabled }}
    - name: data
      emptyDir: {}
    {{- end }}
    {{- with .Values.extraVolumes }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
{{- end }}
