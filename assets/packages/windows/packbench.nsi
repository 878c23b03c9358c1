; The Windows installer, for one user without administrator rights (the default) or for all users (/AllUsers).
;
; makensis -DVERSION=0.2.0 -DFILES=… -DOUTPUT=…/packbench-0.2.0.exe packbench.nsi, where FILES is the folder of the program
; and its texts.
; Silent: packbench-0.2.0.exe /S [/AllUsers], and "…\uninstall.exe" /S. Installing again upgrades or repairs. The users'
; data and settings stay, also when Packbench is removed.

Target amd64-unicode
Unicode true
SetCompressor /SOLID lzma

!define MULTIUSER_EXECUTIONLEVEL Highest
!define MULTIUSER_MUI
!define MULTIUSER_INSTALLMODE_COMMANDLINE
!define MULTIUSER_INSTALLMODE_DEFAULT_CURRENTUSER
!define MULTIUSER_USE_PROGRAMFILES64
!define MULTIUSER_INSTALLMODE_INSTDIR "Packbench"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\Packbench"
!define MULTIUSER_INSTALLMODE_INSTDIR_REGISTRY_KEY "${UNINSTALL_KEY}"
!define MULTIUSER_INSTALLMODE_INSTDIR_REGISTRY_VALUENAME "InstallLocation"
!define MULTIUSER_INSTALLMODE_DEFAULT_REGISTRY_KEY "${UNINSTALL_KEY}"
!define MULTIUSER_INSTALLMODE_DEFAULT_REGISTRY_VALUENAME "UninstallString"
!include MultiUser.nsh
!include MUI2.nsh

Name "Packbench"
OutFile "${OUTPUT}"
VIProductVersion "${VERSION}.0"
VIAddVersionKey ProductName "Packbench"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey FileDescription "Packbench installer"
VIAddVersionKey LegalCopyright "MIT or Apache-2.0"

!define MUI_ICON "..\..\icon\packbench.ico"
!insertmacro MULTIUSER_PAGE_INSTALLMODE
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!define MUI_FINISHPAGE_RUN "$INSTDIR\packbench.exe"
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE English

Function .onInit
    !insertmacro MULTIUSER_INIT
FunctionEnd

Function un.onInit
    !insertmacro MULTIUSER_UNINIT
FunctionEnd

; Ends with code 5 while Packbench is open, because Windows can't replace a running program.
!macro CLOSED
    ClearErrors
    Delete "$INSTDIR\packbench.exe"
    ${If} ${Errors}
        MessageBox MB_ICONEXCLAMATION "Packbench is open. Close it, then start this again" /SD IDOK
        SetErrorLevel 5
        Quit
    ${EndIf}
!macroend

Section
    SetOutPath "$INSTDIR"
    !insertmacro CLOSED
    File "${FILES}/packbench.exe"
    File "${FILES}/licence.txt"
    File "${FILES}/licence-fonts.txt"
    File "${FILES}/licences.txt"
    File "${FILES}/packbench.cdx.json"
    WriteUninstaller "$INSTDIR\uninstall.exe"
    CreateShortCut "$SMPROGRAMS\Packbench.lnk" "$INSTDIR\packbench.exe"
    CreateShortCut "$DESKTOP\Packbench.lnk" "$INSTDIR\packbench.exe"
    WriteRegStr SHCTX "${UNINSTALL_KEY}" DisplayName "Packbench"
    WriteRegStr SHCTX "${UNINSTALL_KEY}" DisplayVersion "${VERSION}"
    WriteRegStr SHCTX "${UNINSTALL_KEY}" DisplayIcon "$INSTDIR\packbench.exe"
    WriteRegStr SHCTX "${UNINSTALL_KEY}" Publisher "The Packbench authors"
    WriteRegStr SHCTX "${UNINSTALL_KEY}" InstallLocation "$INSTDIR"
    WriteRegStr SHCTX "${UNINSTALL_KEY}" UninstallString '"$INSTDIR\uninstall.exe" /$MultiUser.InstallMode'
    WriteRegStr SHCTX "${UNINSTALL_KEY}" QuietUninstallString '"$INSTDIR\uninstall.exe" /$MultiUser.InstallMode /S'
    WriteRegDWORD SHCTX "${UNINSTALL_KEY}" NoModify 1
SectionEnd

Section Uninstall
    !insertmacro CLOSED
    Delete "$INSTDIR\licence.txt"
    Delete "$INSTDIR\licence-fonts.txt"
    Delete "$INSTDIR\licences.txt"
    Delete "$INSTDIR\packbench.cdx.json"
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR"
    Delete "$SMPROGRAMS\Packbench.lnk"
    Delete "$DESKTOP\Packbench.lnk"
    DeleteRegKey SHCTX "${UNINSTALL_KEY}"
SectionEnd
